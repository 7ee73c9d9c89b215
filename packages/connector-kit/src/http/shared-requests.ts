/** A request of one call. It fails if that call is aborted. */
interface SharedRequest<T> {
  readonly value: Promise<T>;
  readonly signal: AbortSignal;
  /** The time at which its value expires, in milliseconds since 1970. */
  until: number;
}

/** Requests by key that calls share. */
export class SharedRequests<T> {
  readonly #keepMs: number;
  readonly #requests = new Map<string, SharedRequest<T>>();

  /** `keepMs`: how long the value of a request is used after its end. 0: only calls during the request share it. */
  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  /** Returns the value of a key. Sends the request again if the call that sent it was aborted. */
  async get(key: string, signal: AbortSignal, send: () => Promise<T>): Promise<T> {
    for (;;) {
      const known = this.#requests.get(key);
      const request =
        known === undefined || known.until <= Date.now()
          ? { value: send(), signal, until: Infinity }
          : known;
      this.#requests.set(key, request);
      try {
        const value = await request.value;
        if (request.until === Infinity) request.until = Date.now() + this.#keepMs;
        if (this.#keepMs === 0 && this.#requests.get(key) === request) this.#requests.delete(key);
        return value;
      } catch (error) {
        if (this.#requests.get(key) === request) this.#requests.delete(key);
        if (signal.aborted || !request.signal.aborted) throw error;
      }
    }
  }
}
