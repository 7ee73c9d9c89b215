/** An access token and the time of its expiry in milliseconds since 1970. */
export interface AccessToken {
  readonly token: string;
  readonly expiresAt: number;
}

/** Tokens are replaced this long before they expire. */
const marginMs = 30_000;

/** The access token of one login, shared by its sources in this process. */
export class AccessTokens {
  #known: AccessToken | null = null;
  #running: Promise<AccessToken> | null = null;

  /** Returns a valid token. Concurrent calls share one request. `refused`: a token that the service has just refused. */
  async get(request: () => Promise<AccessToken>, refused?: string): Promise<string> {
    if (this.#running === null && this.#isValid(refused)) return this.#known?.token ?? '';
    this.#running ??= request().finally(() => {
      this.#running = null;
    });
    this.#known = await this.#running;
    return this.#known.token;
  }

  #isValid(refused: string | undefined): boolean {
    const { token, expiresAt } = this.#known ?? { token: refused, expiresAt: 0 };
    return token !== refused && Date.now() < expiresAt - marginMs;
  }
}
