import { createHash } from 'node:crypto';
import { isTroveError, messageOf, TroveError, type Logger } from '@trove/core';
import type { Embedder, TrainedState } from '@trove/core/model';
import type { TransformationCache } from '@trove/core/store';
import { allSignals, anySignal, rejectOnAbort, delay, withAnySignal } from '../abort.js';
import type { Guard } from '../plugins/guard.js';
import { maxRetries, retryPause, withRetries } from '../retry.js';
import { Batches, type BatchLimits, type BatchItem } from './batches.js';
import { CallCounter, type CallCounts, type LookupCounts } from './counts.js';
import { Memo } from './memo.js';
import { normalizeVectors } from './vectors.js';

const callLimitMs = 120_000;
/** Shorter, because a caller waits for the search. */
const queryLimitMs = 20_000;
const unusableVector = 'its vector has non-finite numbers or only zeros';
/** If this many texts fail alone before any succeeds, the provider is at fault. */
const maxInitialFailures = 3;

interface PendingText extends BatchItem {
  readonly text: string;
  readonly key: string;
  readonly resolve: (vector: Float32Array | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Properties of the configured embedder. They do not change while the engine is open. */
export type EmbedderFacts = Pick<Embedder, 'model' | 'dimension' | 'nature'>;

export interface EmbeddingCounts {
  readonly calls: CallCounts;
  /** Number of texts in these calls. */
  readonly texts: number;
  readonly lookups: LookupCounts;
}

/** Returns the name of the embedding. Only vectors with the same name may be compared. */
export function embeddingName({ model, dimension }: EmbedderFacts): string {
  return `${model}/${dimension}`;
}

/** Embeds texts in batches across callers, caches the vectors, and isolates texts that fail. */
export class EmbeddingService {
  readonly facts: EmbedderFacts;
  readonly #guard: Guard<Embedder>;
  readonly #memo: Memo;
  readonly #batches: Batches<PendingText>;
  readonly #calls = new CallCounter();
  #texts = 0;
  readonly #signal: AbortSignal;
  readonly #logger: Logger;

  constructor(
    facts: EmbedderFacts,
    guard: Guard<Embedder>,
    cache: TransformationCache | null,
    limits: BatchLimits,
    logger: Logger,
    signal: AbortSignal,
  ) {
    this.facts = facts;
    this.#guard = guard;
    this.#memo = new Memo(cache, logger);
    this.#batches = new Batches(limits, (batch) => this.#embed(batch));
    this.#logger = logger;
    this.#signal = signal;
  }

  /** Counts of the main thread. Texts that worker threads embed are not included. */
  get counts(): EmbeddingCounts {
    return { calls: this.#calls.counts, texts: this.#texts, lookups: this.#memo.lookups };
  }

  /**
   * Embeds document texts, in order. Returns null for a text that the provider refuses or has no usable vector
   * for. Throws the provider's error if it is unreachable, rejects the key or reports an exhausted quota.
   * Throws `embedding_unavailable` if it fails without a reason. `fresh` bypasses the cache. Rejects when the
   * signal aborts, and then cancels a call that has no other callers.
   */
  async embedDocuments(
    texts: readonly string[],
    { fresh, signal }: { fresh: boolean; signal: AbortSignal },
  ): Promise<(Float32Array | null)[]> {
    const keys = texts.map((text) => this.#key(text));
    const known = fresh ? new Map<string, Float32Array>() : await this.#readCache(keys);
    signal.throwIfAborted();
    const vectors = texts.map((text, at) => {
      const key = keys[at] ?? '';
      return Promise.resolve(known.get(key) ?? this.#enqueue(text, key, signal));
    });
    return rejectOnAbort(Promise.all(vectors), signal);
  }

  /**
   * Embeds a query. `trainedState` is the state that the compared vectors were made with. Throws
   * `embedding_unavailable`.
   */
  async embedQuery(
    text: string,
    { signal, trainedState = null }: { signal: AbortSignal; trainedState?: TrainedState | null },
  ): Promise<Float32Array> {
    try {
      const [vector] = await withAnySignal([this.#signal, signal], (until) =>
        this.#call([text], 'query', queryLimitMs, until, trainedState),
      );
      if (!vector) throw new Error(unusableVector);
      return vector;
    } catch (error) {
      signal.throwIfAborted();
      throw new TroveError(
        'embedding_unavailable',
        `The query could not be embedded: ${messageOf(error)}`,
        {
          cause: error,
        },
      );
    }
  }

  #enqueue(text: string, key: string, signal: AbortSignal): Promise<Float32Array | null> {
    return new Promise((resolve, reject) => {
      this.#batches.add({ text, key, signal, resolve, reject });
    });
  }

  async #embed(batch: readonly PendingText[]): Promise<void> {
    const allAborted = allSignals(batch.map(({ signal }) => signal));
    const { signal, end } = anySignal(this.#signal, allAborted.signal);
    const progress: BatchProgress = { signal, failures: 0, embedded: false };
    try {
      await this.#settle(batch, await this.#attempt(batch, signal));
    } catch (error) {
      await this.#handleFailure(batch, error, progress);
    } finally {
      end();
      allAborted.end();
    }
  }

  /** Retries errors without a code, and retries unusable vectors once. */
  async #attempt(
    batch: readonly PendingText[],
    signal: AbortSignal,
  ): Promise<(Float32Array | null)[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        const vectors = await this.#embedWithRetries(batch, signal);
        if (attempt > 1 || !vectors.includes(null)) return vectors;
      } catch (error) {
        if (!isUnexplained(error) || attempt > maxRetries) throw error;
        await delay(retryPause(attempt, error), signal);
        signal.throwIfAborted();
      }
    }
  }

  #embedWithRetries(
    batch: readonly PendingText[],
    signal: AbortSignal,
  ): Promise<(Float32Array | null)[]> {
    const texts = batch.map(({ text }) => text);
    return withRetries(() => this.#call(texts, 'document', callLimitMs, signal), signal);
  }

  async #settle(
    batch: readonly PendingText[],
    vectors: readonly (Float32Array | null)[],
  ): Promise<void> {
    await this.#writeCache(batch, vectors);
    batch.forEach(({ resolve }, at) => {
      const vector = vectors[at] ?? null;
      if (vector === null) this.#logNotEmbedded(unusableVector);
      resolve(vector);
    });
  }

  async #handleFailure(
    batch: readonly PendingText[],
    error: unknown,
    progress: BatchProgress,
  ): Promise<void> {
    if (progress.signal.aborted || isProviderError(error))
      batch.forEach(({ reject }) => reject(error));
    else await this.#split(batch, error, progress);
  }

  /** Halves a failed batch until the failing text is alone. */
  async #split(
    batch: readonly PendingText[],
    error: unknown,
    progress: BatchProgress,
  ): Promise<void> {
    const [only, ...others] = batch;
    if (only !== undefined && others.length === 0) return this.#rejectText(only, error, progress);
    const middle = Math.ceil(batch.length / 2);
    for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
      if (progress.failures >= maxInitialFailures && !progress.embedded) {
        half.forEach(({ reject }) => reject(toUnavailableError(error)));
        continue;
      }
      await this.#embedHalf(half, progress);
    }
  }

  async #embedHalf(half: readonly PendingText[], progress: BatchProgress): Promise<void> {
    try {
      const vectors = await this.#embedWithRetries(half, progress.signal);
      progress.embedded = true;
      await this.#settle(half, vectors);
    } catch (error) {
      await this.#handleFailure(half, error, progress);
    }
  }

  /** A refused text gets no vector. A text on which the embedder fails without a reason is an error. */
  #rejectText({ resolve, reject }: PendingText, error: unknown, progress: BatchProgress): void {
    if (isUnexplained(error)) {
      progress.failures++;
      reject(toUnavailableError(error));
    } else {
      this.#logNotEmbedded(messageOf(error));
      resolve(null);
    }
  }

  #logNotEmbedded(error: string): void {
    this.#logger.warn('a text could not be embedded', { error });
  }

  async #call(
    texts: readonly string[],
    purpose: 'document' | 'query',
    limitMs: number,
    signal: AbortSignal,
    trainedState: TrainedState | null = null,
  ): Promise<(Float32Array | null)[]> {
    this.#texts += texts.length;
    return this.#calls.count(
      this.#guard.call('embed', limitMs, signal, async (embedder) => {
        const options = { purpose, ...(trainedState === null ? {} : { trainedState }), signal };
        const vectors = await embedder.embed(texts, options);
        return normalizeVectors(vectors, texts.length, this.facts.dimension);
      }),
    );
  }

  #key(text: string): string {
    return createHash('sha256')
      .update(`embedding\0${this.facts.model}\0${this.facts.dimension}\0`)
      .update(text)
      .digest('hex');
  }

  async #readCache(keys: readonly string[]): Promise<Map<string, Float32Array>> {
    const vectors = new Map<string, Float32Array>();
    for (const [key, bytes] of await this.#memo.getMany(keys)) {
      if (bytes.byteLength === this.facts.dimension * 4) {
        vectors.set(key, new Float32Array(Uint8Array.from(bytes).buffer));
      }
    }
    return vectors;
  }

  async #writeCache(
    batch: readonly PendingText[],
    vectors: readonly (Float32Array | null)[],
  ): Promise<void> {
    const entries = new Map<string, Uint8Array>();
    batch.forEach(({ key }, at) => {
      const vector = vectors[at];
      if (vector) {
        entries.set(key, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
      }
    });
    await this.#memo.putMany(entries);
  }
}

/** The progress of one batch. */
interface BatchProgress {
  readonly signal: AbortSignal;
  failures: number;
  embedded: boolean;
}

/** Whether an error has no code of its own. It may or may not be caused by a text. */
function isUnexplained(error: unknown): boolean {
  return isTroveError(error) && error.code === 'internal_error' && !error.retryable;
}

function toUnavailableError(cause: unknown): TroveError {
  return new TroveError('embedding_unavailable', messageOf(cause), { cause });
}

/** Whether the provider or the engine, rather than a text, caused the error. */
function isProviderError(error: unknown): boolean {
  return (
    !isTroveError(error) ||
    error.retryable ||
    [
      'config_invalid',
      'embedding_auth_failed',
      'embedding_quota_exceeded',
      'engine_closed',
      'plugin_invalid',
    ].includes(error.code)
  );
}
