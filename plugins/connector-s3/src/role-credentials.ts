import { messageOf, TroveError } from '@trove/core';

import { credentialsOf, type S3Credentials } from './access.js';
import type { AwsEnvironment } from './profile.js';
import {
  containerRole,
  findMachineRole,
  podRole,
  type MetadataRequest,
  type RoleProvider,
} from './role-providers.js';

/** Credentials are renewed this long before they expire. */
const refreshMarginMs = 300_000;
const timeoutMs = 4000;

/** Caches the credentials of the role of a pod, a container or a machine at Amazon until they expire. */
export class RoleCredentials {
  readonly #request: MetadataRequest;
  #cached: { readonly key: S3Credentials; readonly until: number } | null = null;

  constructor(http: typeof globalThis.fetch) {
    this.#request = (url, init, ms = timeoutMs) =>
      http(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(ms) });
  }

  /** Drops the credentials after the store rejected them. */
  invalidate(): void {
    this.#cached = null;
  }

  /** Returns the credentials; null without a role. Throws `credential_error` for a role without credentials. */
  async get(env: AwsEnvironment, region: string): Promise<S3Credentials | null> {
    if (this.#cached !== null && performance.now() < this.#cached.until) return this.#cached.key;
    const provider =
      podRole(this.#request, env, region) ??
      containerRole(this.#request, env) ??
      (await findMachineRole(this.#request, env));
    return provider === null ? null : this.#load(provider);
  }

  async #load({ subject, get }: RoleProvider): Promise<S3Credentials> {
    const failed = (reason: string, cause?: unknown): TroveError =>
      new TroveError('credential_error', `There is no key for the role of ${subject}: ${reason}`, {
        cause,
      });
    const response = await get().catch((error: unknown) => {
      throw failed(messageOf(error), error);
    });
    const text = (...names: readonly string[]): string | undefined =>
      names.map((name) => Object(response)[name]).find((each) => typeof each === 'string');
    const token = text('SessionToken', 'Token');
    const key = credentialsOf(text('AccessKeyId'), text('SecretAccessKey'), token);
    if (key === null) throw failed('the response has none.');
    // One service returns seconds, the others return a date.
    const expiration: unknown = Object(response)['Expiration'];
    const at = typeof expiration === 'number' ? expiration * 1000 : Date.parse(String(expiration));
    this.#cached = { key, until: performance.now() + (at - Date.now()) - refreshMarginMs };
    return key;
  }
}
