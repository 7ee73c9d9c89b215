import { createHash, timingSafeEqual } from 'node:crypto';
import { fullAccess, type Caller, type Trove } from 'trove';
import type { Auth } from './auth.js';
import { isValidPass } from './pass.js';

/** Finds the caller of a bearer token. */
export class Callers {
  readonly #auth: Auth;
  readonly #engine: Pick<Trove, 'authenticate'>;

  constructor(auth: Auth, engine: Pick<Trove, 'authenticate'>) {
    this.#auth = auth;
    this.#engine = engine;
  }

  /** Returns null if the token is not valid. */
  async find(bearer: string): Promise<Caller | null> {
    if (this.#auth.mode === 'open') return { name: 'anyone', access: fullAccess };
    const { token } = this.#auth;
    if (timingSafeEqual(digest(bearer), digest(token)))
      return { name: 'the token of the server', access: fullAccess };
    if (isValidPass(bearer, token))
      return { name: 'a pass', access: { rights: 'read', paths: null } };
    return this.#engine.authenticate(bearer);
  }
}

/** Tokens are compared by their hashes, which have equal length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
