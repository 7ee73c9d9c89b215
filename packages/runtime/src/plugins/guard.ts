import { TroveError, type ErrorCode } from '@trove/core';
import { createAbortController, resolveWithin } from '../abort.js';
import { WaitLimit } from './wait-limit.js';
import { ItemReader, type ItemBatchLimits } from './item-reader.js';
import { toPluginError, type ErrorRules } from './plugin-error.js';
import type { KnownSecrets } from './known-secrets.js';
import { createRedactor } from './redact.js';

/** Limits for a plugin to start, to finish its calls, and to close. */
const startLimitMs = 60_000;
const drainLimitMs = 5000;
const closeLimitMs = 3000;

export interface GuardOptions<T> {
  /** For messages: `connector file`. */
  readonly name: string;
  /** The code for errors that are not ours; a plugin's own coded errors keep theirs. */
  readonly errorCode: ErrorCode;
  readonly secrets: readonly string[];
  /** Holds the secrets until the plugin is closed. */
  readonly knownSecrets?: KnownSecrets;
  readonly start: () => Promise<T>;
  readonly close: (instance: T) => Promise<void>;
  /** Default: a minute. */
  readonly startLimitMs?: number;
  /** The error of a call after `close`. Default: `engine_closed`. */
  readonly closedError?: () => TroveError;
}

/**
 * Holds one instance of a plugin: starts it once and forgets a failed start, limits the time of each call, turns foreign
 * errors into coded ones, and closes it once. Calls in flight have some seconds to finish before they are given up.
 */
export class Guard<T> {
  readonly #options: GuardOptions<T>;
  readonly #rules: ErrorRules;
  #instance: Promise<T> | null = null;
  #started: { readonly instance: T } | null = null;
  /** Aborts when a pending start, and a call that hangs, are waited for no longer. */
  readonly #abandon = createAbortController();
  #inFlight = 0;
  #idle: (() => void) | null = null;
  #closing: Promise<void> | null = null;
  readonly #forget: (() => void) | undefined;

  constructor(options: GuardOptions<T>) {
    this.#options = options;
    const { name, errorCode, secrets } = options;
    this.#rules = { name, errorCode, redact: createRedactor(secrets) };
    this.#forget = options.knownSecrets?.add(secrets);
  }

  /** The plugin's own words without its secrets. */
  redact(text: string): string {
    return this.#rules.redact(text);
  }

  /** Calls the plugin; the limit includes starting it. `method` is named in errors. */
  async call<R>(
    method: string,
    limitMs: number,
    signal: AbortSignal,
    use: (instance: T) => Promise<R> | R,
  ): Promise<R> {
    this.#enter();
    const bound = new WaitLimit(limitMs, [signal, this.#abandon.signal], () =>
      this.#late(method, limitMs),
    );
    let isOver = false;
    try {
      const starting = this.#start();
      return await bound.wait(
        starting.then((instance) => {
          signal.throwIfAborted();
          // The caller has already been told that it took too long.
          if (isOver) throw this.#late(method, limitMs);
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
   * Iterates over what the plugin yields; the limit applies to each item. `check` validates and converts each item, or
   * throws.
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

  /** The same in batches, which costs a fraction per item. What came before an error is yielded before it is thrown. */
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
      this.#late(method, limitMs),
    );
    try {
      const instance = await bound.wait(this.#start());
      items = new ItemReader(this.#iterator(method, use(instance)), {
        assertActive: () => {
          signal.throwIfAborted();
          this.#abandon.signal.throwIfAborted();
        },
        onProgress: () => bound.refresh(),
        invalidStep: () => this.#invalid(`${method} must return an async iterable`),
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
      // Releases what it holds as soon as it can; one that hangs never will.
      void items?.end();
      if (part.length > 0 && !signal.aborted) yield part;
      throw this.#translate(error, method, signal);
    } finally {
      bound.end();
      if (!finished) await items?.end();
      this.#leave();
    }
  }

  /** Closes the plugin once its calls have ended or their time is up. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#drain();
    // What hangs is given up, or its limit would keep the process alive; a start that ends after all is closed then.
    this.#abandon.abort(this.#closedError());
    try {
      if (this.#started !== null) await this.#end(this.#started.instance);
    } finally {
      this.#forget?.();
    }
  }

  /** A hanging call must not prevent closing, or a source could never be removed. */
  async #drain(): Promise<void> {
    if (this.#inFlight === 0) return;
    const idle = new Promise<void>((resolve) => (this.#idle = resolve));
    await resolveWithin(idle, drainLimitMs, undefined);
  }

  async #end(instance: T): Promise<void> {
    const late = this.#late('close', closeLimitMs);
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

  /** A start that takes too long is abandoned, so that the next call tries again; its result is closed. */
  async #startOnce(): Promise<T> {
    const limitMs = this.#options.startLimitMs ?? startLimitMs;
    const made = this.#options.start();
    const bound = new WaitLimit(limitMs, [this.#abandon.signal], () =>
      this.#late('create', limitMs),
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
    if (this.#inFlight === 0) this.#idle?.();
  }

  #closedError(): TroveError {
    const { name, closedError } = this.#options;
    return closedError?.() ?? new TroveError('engine_closed', `${name} is closed`);
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

  #invalid(problem: string): TroveError {
    return new TroveError('plugin_invalid', `${this.#options.name}: ${problem}`);
  }

  #iterator<R>(method: string, iterable: AsyncIterable<R>): AsyncIterator<R> {
    const iterates =
      typeof iterable === 'object' && iterable !== null && Symbol.asyncIterator in iterable;
    if (!iterates) throw this.#invalid(`${method} must return an async iterable`);
    return iterable[Symbol.asyncIterator]();
  }

  #translate(error: unknown, method: string, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason ?? error;
    if (this.#abandon.signal.aborted) return this.#abandon.signal.reason;
    return toPluginError(error, method, this.#rules);
  }
}

function ignore(): void {}
