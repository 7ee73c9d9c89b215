/** A request of one call. It fails if that call is aborted. */
interface SharedRequest<T> {
  readonly value: Promise<T>;
  readonly signal: AbortSignal;
  /** The time at which its value expires, in milliseconds since 1970. */
  until: number;
}

/** Most values of finished requests that are kept. */
const maxKept = 1000;

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
      const isValid = known !== undefined && known.until > Date.now();
      const request = isValid ? known : { value: send(), signal, until: Infinity };
      if (!isValid) this.#add(key, request);
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

  /** Adds a request. Drops expired values, and the oldest ones beyond the limit. */
  #add(key: string, request: SharedRequest<T>): void {
    this.#requests.delete(key);
    const now = Date.now();
    let excess = this.#requests.size - maxKept + 1;
    for (const [other, { until }] of this.#requests) {
      if (until === Infinity || (excess <= 0 && until > now)) continue;
      this.#requests.delete(other);
      excess--;
    }
    this.#requests.set(key, request);
  }
}
