import { TroveApiError, TroveClient, type ServerInfo } from '@trove/client';
import { base, takePass, takeSignInCode } from './address.js';
import { forgetMarkedQuestions } from './search/stored-marks.js';

/** Other pages of this server use the same key. */
const tokenKey = `trove-token ${base}`;

/**
 * `starting`: the first request has no response yet. `refused`: the server refused the token. `link-refused`: it refused
 * the link that signs in.
 */
export type SessionState =
  | 'starting'
  | 'signed-out'
  | 'refused'
  | 'link-refused'
  | 'unreachable'
  | 'signed-in';

/** The token, kept until the tab is closed, and the client that sends it. */
export class Session {
  #state: SessionState = 'starting';
  #client = createClient('');
  #access: ServerInfo['access'] = { rights: 'read', sees_all: false };
  #token = '';
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get state(): SessionState {
    return this.#state;
  }

  get client(): TroveClient {
    return this.#client;
  }

  /** What the signed-in caller may do and see. */
  get access(): ServerInfo['access'] {
    return this.#access;
  }

  /** Empty if the server requires none. */
  get token(): string {
    return this.#token;
  }

  /** Signs in with the address, or with the stored token. A server may require none. */
  async start(): Promise<void> {
    if (!(await this.signInWithAddress()))
      await this.signIn(sessionStorage.getItem(tokenKey) ?? '');
  }

  /** Signs in with the pass or the code in the address. Returns false if there is none. */
  async signInWithAddress(): Promise<boolean> {
    const code = takeSignInCode();
    const pass = takePass();
    if (code !== null) await this.#redeem(code);
    else if (pass !== null) await this.signIn(pass);
    return code !== null || pass !== null;
  }

  async signIn(token: string): Promise<void> {
    this.#client = createClient(token);
    try {
      this.#access = (await this.#client.server.getServerInfo()).access;
    } catch (error) {
      if (isUnauthorized(error)) this.#forget(token === '' ? 'signed-out' : 'refused');
      else this.#set('unreachable');
      return;
    }
    this.#keep(token);
  }

  /** Continues with `replacement` if the session has the token with this id. */
  replaceToken(id: string, replacement: string): void {
    if (!this.#token.startsWith(`trove_${id}_`)) return;
    this.#client = createClient(replacement);
    this.#keep(replacement);
  }

  signOut(): void {
    this.#forget('signed-out');
  }

  /** Asks for the token again if an error says that it is no longer valid. */
  notice(error: unknown): void {
    if (isUnauthorized(error)) this.#forget('refused');
  }

  /** A used link still leads to the page if the tab has a token, or the server requires none. */
  async #redeem(code: string): Promise<void> {
    try {
      const response = await fetch(`${base}/console/sign-in`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${code}` },
      });
      const stored = sessionStorage.getItem(tokenKey) ?? '';
      await this.signIn(response.ok ? await response.text() : stored);
      if (!response.ok && this.#state !== 'signed-in') this.#set('link-refused');
    } catch {
      this.#set('unreachable');
    }
  }

  #keep(token: string): void {
    this.#token = token;
    if (token !== '') sessionStorage.setItem(tokenKey, token);
    this.#set('signed-in');
  }

  #forget(state: SessionState): void {
    forgetMarkedQuestions();
    sessionStorage.removeItem(tokenKey);
    this.#token = '';
    this.#client = createClient('');
    this.#set(state);
  }

  #set(state: SessionState): void {
    this.#state = state;
    this.#onChange();
  }
}

function createClient(token: string): TroveClient {
  return new TroveClient({ baseUrl: base, token });
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof TroveApiError && error.status === 401;
}
