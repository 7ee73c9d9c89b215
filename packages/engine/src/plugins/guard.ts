import { isErrorCode, isTroveError, TroveError, type ErrorCode } from '@trove/core';
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
    try {
      const late = (): TroveError => this.#late(method, limitMs);
      const instance = await bounded(this.#start(), limitMs, signal, late);
      signal.throwIfAborted();
      return await bounded(use(instance), limitMs, signal, late);
    } catch (error) {
      throw this.#translate(error, method, signal);
    } finally {
      this.#leave();
    }
  }

  /** Iterates over what the plugin yields; the limit is on each item. */
  async *iterate<R>(
    method: string,
    limitMs: number,
    signal: AbortSignal,
    use: (instance: T) => AsyncIterable<R>,
  ): AsyncGenerator<R, void, undefined> {
    this.#enter();
    let iterator: AsyncIterator<R> | undefined;
    let finished = false;
    const late = (): TroveError => this.#late(method, limitMs);
    try {
      const instance = await bounded(this.#start(), limitMs, signal, late);
      iterator = use(instance)[Symbol.asyncIterator]();
      for (;;) {
        signal.throwIfAborted();
        const step = await bounded(iterator.next(), limitMs, signal, late);
        if (step.done === true) {
          finished = true;
          return;
        }
        yield step.value;
      }
    } catch (error) {
      finished = true;
      // Lets go of what it holds as soon as it can; one that hangs would never come to it.
      void end(iterator);
      throw this.#translate(error, method, signal);
    } finally {
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

async function bounded<R>(
  work: Promise<R> | R,
  limitMs: number,
  signal: AbortSignal,
  late: () => TroveError,
): Promise<R> {
  if (!(work instanceof Promise)) return work;
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const stop = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), limitMs);
    onAbort = () => reject(abortReason(signal));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, stop]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}

function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}
