import { messageOf, TroveError } from '@trove/core';

import { keyOf, type Credentials } from './access.js';
import type { Environment } from './profile.js';
import { wayOfContainer, wayOfMachine, wayOfPod, type Ask, type RoleWay } from './role-ways.js';

/** A key is got anew so long before it runs out. */
const earlyMs = 300_000;
const answerMs = 4000;

/** The key of the role that a pod, a container or a machine at Amazon has, as long as it is good. */
export class Roles {
  readonly #ask: Ask;
  #known: { readonly key: Credentials; readonly until: number } | null = null;

  constructor(http: typeof globalThis.fetch) {
    this.#ask = (url, init, ms = answerMs) =>
      http(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(ms) });
  }

  /** The key was refused. */
  forget(): void {
    this.#known = null;
  }

  /** Null: there is no role. Throws `credential_error` when there is, and no key for it. */
  async key(env: Environment, region: string): Promise<Credentials | null> {
    if (this.#known !== null && performance.now() < this.#known.until) return this.#known.key;
    const way =
      wayOfPod(this.#ask, env, region) ??
      wayOfContainer(this.#ask, env) ??
      (await wayOfMachine(this.#ask, env));
    return way === null ? null : this.#got(way);
  }

  async #got({ whose, get }: RoleWay): Promise<Credentials> {
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
    const key = keyOf(text('AccessKeyId'), text('SecretAccessKey'), token);
    if (key === null) throw failed('the answer holds none.');
    // One service writes seconds, the others a date.
    const ends: unknown = Object(said)['Expiration'];
    const at = typeof ends === 'number' ? ends * 1000 : Date.parse(String(ends));
    this.#known = { key, until: performance.now() + (at - Date.now()) - earlyMs };
    return key;
  }
}
