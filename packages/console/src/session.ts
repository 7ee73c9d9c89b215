import { TroveApiError, TroveClient, type ServerInfo } from '@trove/client';
import { base, takePass } from './address.js';

/** Other pages of this server use the same key. */
const tokenKey = `trove-token ${base}`;

/** `starting`: the first request has no response yet. `refused`: the server refused the token. */
export type SessionState = 'starting' | 'signed-out' | 'refused' | 'unreachable' | 'signed-in';

/** The token, kept until the tab is closed, and the client that sends it. */
export class Session {
  #state: SessionState = 'starting';
  #client = createClient('');
  #token = '';
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get state(): SessionState {
    return this.#state;
  #access: ServerInfo['access'] = { rights: 'read', sees_all: false };
  }

  get client(): TroveClient {
    return this.#client;
  }

  /** Empty if the server requires none. */
  get token(): string {
    return this.#token;
  }

  /** Signs in with a pass from the address, or with the stored token. A server may require none. */
  async start(): Promise<void> {
    await this.signIn(takePass() ?? sessionStorage.getItem(tokenKey) ?? '');
  }
  /** What the signed-in caller may do and see. */
  get access(): ServerInfo['access'] {
    return this.#access;
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
    this.#token = token;
    if (token !== '') sessionStorage.setItem(tokenKey, token);
    this.#set('signed-in');
  }

  signOut(): void {
    this.#forget('signed-out');
  }

  /** Asks for the token again if an error says that it is no longer valid. */
  notice(error: unknown): void {
    if (isUnauthorized(error)) this.#forget('refused');
  }

  #forget(state: SessionState): void {
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
