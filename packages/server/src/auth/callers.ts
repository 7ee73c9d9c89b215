import { createHash, timingSafeEqual } from 'node:crypto';
import { fullAccess, type Caller, type Trove } from 'trove';
import type { Auth } from './auth.js';
import { isValidPass } from './pass.js';
import type { ProxiedRequest, ProxyUsers } from './proxy-users.js';

/** The part of a request that identifies its caller. */
interface IdentifiedRequest extends ProxiedRequest {
  readonly bearer: string;
}

/** A caller, and how it was identified. */
interface FoundCaller extends Caller {
  /** Whether a proxy identified it. */
  readonly isProxied: boolean;
  /** Whether it has a token that can be revoked. */
  readonly isRevocable: boolean;
}

/** Identifies the callers of requests. */
export class Callers {
  readonly #auth: Auth;
  readonly #engine: Pick<Trove, 'authenticate'>;
  readonly #users: ProxyUsers | null;

  /** `users`: null without a proxy that authenticates. */
  constructor(auth: Auth, engine: Pick<Trove, 'authenticate'>, users: ProxyUsers | null) {
    this.#auth = auth;
    this.#engine = engine;
    this.#users = users;
  }

  /**
   * Returns the user that a trusted proxy names, or the holder of the token. Null if there is neither. Throws `forbidden`
   * for a user without access.
   */
  async find(request: IdentifiedRequest): Promise<FoundCaller | null> {
    const user = this.#users?.find(request) ?? null;
    if (user !== null) return { ...user, isProxied: true, isRevocable: false };
    const operator = this.#operatorOf(request.bearer);
    if (operator !== null) return { ...operator, isProxied: false, isRevocable: false };
    const holder = await this.#engine.authenticate(request.bearer);
    return holder === null ? null : { ...holder, isProxied: false, isRevocable: true };
  }

  /** Returns the holder of the server's token or of a pass. */
  #operatorOf(bearer: string): Caller | null {
    if (this.#auth.mode === 'open') return { name: 'anyone', access: fullAccess };
    const { token } = this.#auth;
    if (timingSafeEqual(digest(bearer), digest(token)))
      return { name: 'the token of the server', access: fullAccess };
    if (isValidPass(bearer, token))
      return { name: 'a pass', access: { rights: 'read', paths: null } };
    return null;
  }
}

/** Tokens are compared by their hashes, which have equal length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
