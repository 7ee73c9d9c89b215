import { isErrorCode, isTroveError, TroveError, type ErrorCode } from '@trove/core';
import { Bound } from './bound.js';
import { redact } from './context.js';

export interface GuardOptions<T> {
  /** For messages: `connector file`. */
  readonly name: string;
  /** The code of a foreign error; a plugin's own coded errors keep theirs. */
  readonly errorCode: ErrorCode;
  readonly secrets: readonly string[];
  readonly start: () => Promise<T>;
  readonly close: (instance: T) => Promise<void>;
}

/** A part ends with so many items, or with the first one that comes after so many milliseconds. */
export interface PartLimits {
  readonly items: number;
  readonly ms: number;
}

/**
 * Holds one instance of a plugin: starts it once and forgets a failed start, bounds each call in time, turns foreign
 * errors into coded ones, and closes it once, after the calls in flight.
 */
export class Guard<T> {
  readonly #options: GuardOptions<T>;
  #instance: Promise<T> | null = null;
  #inFlight = 0;
  #idle: (() => void) | null = null;
  #closing: Promise<void> | null = null;

  constructor(options: GuardOptions<T>) {
    this.#options = options;
  }

  /** Calls the plugin. `method` is named in errors. */
  async call<R>(
    method: string,
    limitMs: number,
    signal: AbortSignal,
    use: (instance: T) => Promise<R> | R,
  ): Promise<R> {
    this.#enter();
    const bound = new Bound(limitMs, signal, () => this.#late(method, limitMs));
    try {
      const instance = await bound.wait(this.#start());
      signal.throwIfAborted();
      return await bound.wait(use(instance));
    } catch (error) {
      throw this.#translate(error, method, signal);
    } finally {
      bound.end();
      this.#leave();
    }
  }

  /** Iterates over what the plugin yields; the limit is on each item. `check` throws for an item that it must not. */
  async *iterate<R>(
    method: string,
    limitMs: number,
    signal: AbortSignal,
    use: (instance: T) => AsyncIterable<R>,
    check?: (item: R) => void,
  ): AsyncGenerator<R, void, undefined> {
    const parts = this.iterateInParts(method, limitMs, signal, use, { items: 1, ms: 0 }, check);
    for await (const [item] of parts) if (item !== undefined) yield item;
  }

  /** The same, several items at a time, which costs a fraction for each of them. */
  async *iterateInParts<R>(
    method: string,
    limitMs: number,
    signal: AbortSignal,
    use: (instance: T) => AsyncIterable<R>,
    limits: PartLimits,
    check?: (item: R) => void,
  ): AsyncGenerator<R[], void, undefined> {
    this.#enter();
    let iterator: AsyncIterator<R> | undefined;
    let finished = false;
    const bound = new Bound(limitMs, signal, () => this.#late(method, limitMs));
    try {
      const instance = await bound.wait(this.#start());
      iterator = use(instance)[Symbol.asyncIterator]();
      let part: R[] = [];
      let deadline = Date.now() + limits.ms;
      for (;;) {
        signal.throwIfAborted();
        const step = await bound.wait(iterator.next());
        if (step.done === true) break;
        check?.(step.value);
        part.push(step.value);
        if (part.length < limits.items && Date.now() < deadline) continue;
        yield part;
        part = [];
        deadline = Date.now() + limits.ms;
      }
      finished = true;
      if (part.length > 0) yield part;
    } catch (error) {
      finished = true;
      // Lets go of what it holds as soon as it can; one that hangs would never come to it.
      void end(iterator);
      throw this.#translate(error, method, signal);
    } finally {
      bound.end();
      if (!finished) await end(iterator);
      this.#leave();
    }
  }

  /** Closes the plugin once its calls have ended. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    const instance = await this.#instance?.catch(() => null);
    if (instance !== null && instance !== undefined) await this.#options.close(instance);
  }

  #start(): Promise<T> {
    if (this.#instance === null) {
      const starting = this.#options.start();
      this.#instance = starting;
      starting.catch(() => {
        if (this.#instance === starting) this.#instance = null;
      });
    }
    return this.#instance;
  }

  #enter(): void {
    if (this.#closing !== null)
      throw new TroveError('engine_closed', `${this.#options.name} is closed`);
    this.#inFlight++;
  }

  #leave(): void {
    this.#inFlight--;
    if (this.#inFlight === 0) this.#idle?.();
  }

  #late(method: string, limitMs: number): TroveError {
    return new TroveError(
      'timed_out',
      `${this.#options.name}: ${method} took longer than ${limitMs / 1000} s`,
      {
        retryable: true,
      },
    );
  }

  #translate(error: unknown, method: string, signal: AbortSignal): unknown {
    if (signal.aborted && !isTroveError(error)) return signal.reason ?? error;
    const { name, secrets, errorCode } = this.#options;
    if (isTroveError(error)) {
      const clean = redact(error.message, secrets);
      if (clean === error.message) return error;
      const { suggestions, retryable, retryAfterMs, cause } = error;
      return new TroveError(error.code, clean, {
        suggestions,
        retryable,
        cause,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      });
    }
    const message = redact(error instanceof Error ? error.message : String(error), secrets);
    const ofSource = errorCode === 'connector_unhealthy';
    return new TroveError(
      codeOf(error, ofSource) ?? errorCode,
      `${name}: ${method} failed: ${message}`,
      { cause: error, retryable: ofSource },
    );
  }
}

/** A code of ours that a plugin in plain JavaScript may have put on its error; a source's missing file is `not_found`. */
function codeOf(error: unknown, ofSource: boolean): ErrorCode | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  if (isErrorCode(error.code)) return error.code;
  return ofSource && error.code === 'ENOENT' ? 'not_found' : null;
}

/** Never throws: what an iterator says at its end changes nothing any more. */
async function end(iterator: AsyncIterator<unknown> | undefined): Promise<void> {
  try {
    await iterator?.return?.();
  } catch {
    // The iteration is over either way.
  }
}
