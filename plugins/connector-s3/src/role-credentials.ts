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

/** A key is got anew so long before it runs out. */
const refreshMarginMs = 300_000;
const timeoutMs = 4000;

/** The key of the role that a pod, a container or a machine at Amazon has, as long as it is good. */
export class RoleCredentials {
  readonly #ask: MetadataRequest;
  #known: { readonly key: S3Credentials; readonly until: number } | null = null;

  constructor(http: typeof globalThis.fetch) {
    this.#ask = (url, init, ms = timeoutMs) =>
      http(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(ms) });
  }

  /** The key was refused. */
  invalidate(): void {
    this.#known = null;
  }

  /** Null: there is no role. Throws `credential_error` when there is, and no key for it. */
  async key(env: AwsEnvironment, region: string): Promise<S3Credentials | null> {
    if (this.#known !== null && performance.now() < this.#known.until) return this.#known.key;
    const way =
      podRole(this.#ask, env, region) ??
      containerRole(this.#ask, env) ??
      (await findMachineRole(this.#ask, env));
    return way === null ? null : this.#got(way);
  }

  async #got({ subject: whose, get }: RoleProvider): Promise<S3Credentials> {
    const failed = (why: string, cause?: unknown): TroveError =>
      new TroveError('credential_error', `There is no key for the role of ${whose}: ${why}`, {
        cause,
      });
    const said = await get().catch((error: unknown) => {
      throw failed(messageOf(error), error);
    });
    const text = (...names: readonly string[]): string | undefined =>
      names.map((name) => Object(said)[name]).find((each) => typeof each === 'string');
    const token = text('SessionToken', 'Token');
    const key = credentialsOf(text('AccessKeyId'), text('SecretAccessKey'), token);
    if (key === null) throw failed('the answer holds none.');
    // One service writes seconds, the others a date.
    const ends: unknown = Object(said)['Expiration'];
    const at = typeof ends === 'number' ? ends * 1000 : Date.parse(String(ends));
    this.#known = { key, until: performance.now() + (at - Date.now()) - refreshMarginMs };
    return key;
  }
}
