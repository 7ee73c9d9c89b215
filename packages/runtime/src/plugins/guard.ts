import { TroveError, type ErrorCode } from '@trove/core';
import { createAbortController, resolveWithin } from '../abort.js';
import { WaitLimit } from './wait-limit.js';
import { ItemReader, type ItemBatchLimits } from './item-reader.js';
import { toPluginError, type ErrorRules } from './plugin-error.js';
import type { KnownSecrets } from './known-secrets.js';
import { toAsyncIterable } from './async-iterable.js';
import { createRedactor } from './redact.js';

/** Default limits for starting, for ending calls in flight, and for closing. */
const startLimitMs = 60_000;
const drainLimitMs = 5000;
const closeLimitMs = 3000;

export interface GuardOptions<T> {
  /** Named in messages: `connector file`. */
  readonly name: string;
  /** The code of errors without a code of their own. */
  readonly errorCode: ErrorCode;
  readonly secrets: readonly string[];
  /** Receives the secrets while the plugin is open. */
  readonly knownSecrets?: KnownSecrets;
  readonly start: () => Promise<T>;
  readonly close: (instance: T) => Promise<void>;
  /** Default: one minute. */
  readonly startLimitMs?: number;
  /** Creates the error of a call after `close`. Default: `engine_closed`. */
  readonly closedError?: () => TroveError;
  /** Called when the last call has ended. */
  readonly onIdle?: () => void;
}

/**
 * Guards one instance of a plugin. It starts the instance once, and again after a failed start or `closeIdle`. It limits
 * the time of each call, converts errors to coded ones, and closes the instance once. Calls in flight get a few seconds
 * before closing abandons them.
 */
export class Guard<T> {
  readonly #options: GuardOptions<T>;
  readonly #rules: ErrorRules;
  #instance: Promise<T> | null = null;
  #started: { readonly instance: T } | null = null;
  /** Aborts pending starts and calls when `close` abandons them. */
  readonly #abandon = createAbortController();
  #inFlight = 0;
  #idle: (() => void) | null = null;
  /** The running end of an idle instance. */
  #ending: Promise<void> | null = null;
  #closing: Promise<void> | null = null;
  readonly #forget: (() => void) | undefined;

  constructor(options: GuardOptions<T>) {
    this.#options = options;
    const { name, errorCode, secrets } = options;
    this.#rules = { name, errorCode, redact: createRedactor(secrets) };
    this.#forget = options.knownSecrets?.add(secrets);
  }

  /** Removes the plugin's secrets from a text. */
  redact(text: string): string {
    return this.#rules.redact(text);
  }

  /** Calls the plugin. The limit includes starting it. Errors name `method`. */
  async call<R>(
    method: string,
    limitMs: number,
    signal: AbortSignal,
    use: (instance: T) => Promise<R> | R,
  ): Promise<R> {
    this.#enter();
    const bound = new WaitLimit(limitMs, [signal, this.#abandon.signal], () =>
      this.#timeoutError(method, limitMs),
    );
    let isOver = false;
    try {
      const starting = this.#start();
      return await bound.wait(
        starting.then((instance) => {
          signal.throwIfAborted();
          // The caller already got the timeout error.
          if (isOver) throw this.#timeoutError(method, limitMs);
          return use(instance);
        }),
      );
    } catch (error) {
      throw this.#translate(error, method, signal);
    } finally {
      isOver = true;
      bound.end();
      this.#leave();
    }
  }

  /**
   * Iterates over the items of a plugin. The limit applies to each item. `check` validates and converts an
   * item, or throws.
   */
  async *iterate<R>(
    method: string,
    limitMs: number,
    signal: AbortSignal,
    use: (instance: T) => AsyncIterable<R>,
    check?: (item: R) => R,
  ): AsyncGenerator<R, void, undefined> {
    const parts = this.iterateInBatches(method, limitMs, signal, use, { items: 1, ms: 0 }, check);
    for await (const [item] of parts) if (item !== undefined) yield item;
  }

  /**
   * Like `iterate`, but in batches, which costs much less per item. Yields the items before an error, then
   * throws it.
   */
  async *iterateInBatches<R>(
    method: string,
    limitMs: number,
    signal: AbortSignal,
    use: (instance: T) => AsyncIterable<R>,
    limits: ItemBatchLimits,
    check?: (item: R) => R,
  ): AsyncGenerator<R[], void, undefined> {
    this.#enter();
    let items: ItemReader<R> | undefined;
    let finished = false;
    let part: R[] = [];
    const bound = new WaitLimit(limitMs, [signal, this.#abandon.signal], () =>
      this.#timeoutError(method, limitMs),
    );
    try {
      const instance = await bound.wait(this.#start());
      items = new ItemReader(this.#iterator(method, use(instance)), {
        assertActive: () => {
          signal.throwIfAborted();
          this.#abandon.signal.throwIfAborted();
        },
        onProgress: () => bound.refresh(),
        invalidStep: () => this.#invalidError(`${method} must return an async iterable`),
        check,
      });
      for (;;) {
        const isLast = await bound.wait(items.fill(part, limits));
        if (isLast) break;
        const full = part;
        part = [];
        yield full;
      }
      finished = true;
      if (part.length > 0) yield part;
    } catch (error) {
      finished = true;
      // Not awaited: an iterator that hangs never ends.
      void items?.end();
      if (part.length > 0 && !signal.aborted) yield part;
      throw this.#translate(error, method, signal);
    } finally {
      bound.end();
      if (!finished) await items?.end();
      this.#leave();
    }
  }

  /** Closes the instance if no call uses it. The next call starts another. */
  async closeIdle(): Promise<void> {
    const started = this.#started;
    if (this.#closing !== null || this.#inFlight > 0 || started === null) return;
    this.#instance = null;
    this.#started = null;
    const ended = this.#end(started.instance);
    const ending = ended.catch(ignore);
    this.#ending = ending;
    try {
      await ended;
    } finally {
      if (this.#ending === ending) this.#ending = null;
    }
  }

  /** Closes the plugin after its calls have ended or their time is up. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#drain();
    // Abandons hanging calls, because their timers would keep the process alive. An instance that starts later
    // is closed at once.
    this.#abandon.abort(this.#closedError());
    await this.#ending;
    try {
      if (this.#started !== null) await this.#end(this.#started.instance);
    } finally {
      this.#forget?.();
    }
  }

  /** Waits for calls in flight, but not for hanging ones, which would block the removal of a source. */
  async #drain(): Promise<void> {
    if (this.#inFlight === 0) return;
    const idle = new Promise<void>((resolve) => (this.#idle = resolve));
    await resolveWithin(idle, drainLimitMs, undefined);
  }

  async #end(instance: T): Promise<void> {
    const late = this.#timeoutError('close', closeLimitMs);
    const bound = new WaitLimit(closeLimitMs, [], () => late);
    try {
      await bound.wait(this.#options.close(instance));
    } catch (error) {
      throw toPluginError(error, 'close', this.#rules);
    } finally {
      bound.end();
    }
  }

  #start(): Promise<T> {
    if (this.#instance === null) {
      const starting = this.#startOnce();
      this.#instance = starting;
      starting.catch(() => {
        if (this.#instance === starting) this.#instance = null;
      });
    }
    return this.#instance;
  }

  /** Abandons a start that takes too long and closes its instance later. The next call starts again. */
  async #startOnce(): Promise<T> {
    const limitMs = this.#options.startLimitMs ?? startLimitMs;
    const { start } = this.#options;
    const made = this.#ending === null ? start() : this.#ending.then(start);
    const bound = new WaitLimit(limitMs, [this.#abandon.signal], () =>
      this.#timeoutError('create', limitMs),
    );
    try {
      const instance = await bound.wait(made);
      this.#started = { instance };
      return instance;
    } catch (error) {
      made.then((instance) => this.#end(instance)).catch(ignore);
      throw error;
    } finally {
      bound.end();
    }
  }

  #enter(): void {
    if (this.#closing !== null) throw this.#closedError();
    this.#inFlight++;
  }

  #leave(): void {
    this.#inFlight--;
    if (this.#inFlight > 0) return;
    this.#idle?.();
    if (this.#closing === null) this.#options.onIdle?.();
  }

  #closedError(): TroveError {
    const { name, closedError } = this.#options;
    return closedError?.() ?? new TroveError('engine_closed', `${name} is closed`);
  }

  #timeoutError(method: string, limitMs: number): TroveError {
    return new TroveError(
      'timed_out',
      `${this.#options.name}: ${method} took longer than ${limitMs / 1000} s`,
      {
        retryable: true,
      },
    );
  }

  #invalidError(problem: string): TroveError {
    return new TroveError('plugin_invalid', `${this.#options.name}: ${problem}`);
  }

  #iterator<R>(method: string, iterable: AsyncIterable<R>): AsyncIterator<R> {
    return toAsyncIterable(this.#options.name, method, iterable)[Symbol.asyncIterator]();
  }

  #translate(error: unknown, method: string, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason ?? error;
    if (this.#abandon.signal.aborted) return this.#abandon.signal.reason;
    return toPluginError(error, method, this.#rules);
  }
}

function ignore(): void {}
