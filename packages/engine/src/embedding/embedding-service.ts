import { createHash } from 'node:crypto';
import {
  isTroveError,
  TroveError,
  type Embedder,
  type Logger,
  type TransformationCache,
} from '@trove/core';
import { anySignal } from '../abort.js';
import type { Guard } from '../plugins/guard.js';
import { withRetries } from '../retry.js';

const callLimitMs = 120_000;
const notFinite = 'its vector holds something else than finite numbers';
/** How long a text waits for others to fill its batch. */
const gatherMs = 5;

export interface EmbeddingOptions {
  readonly batchSize: number;
  readonly concurrency: number;
}

interface Pending {
  readonly text: string;
  readonly key: string;
  readonly resolve: (vector: Float32Array | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Facts of the configured embedder, fixed for the life of the engine. */
export type EmbedderFacts = Pick<Embedder, 'model' | 'dimension' | 'nature'>;

/** Embeds texts in batches that are filled across callers, remembers the results, and isolates bad texts. */
export class EmbeddingService {
  readonly facts: EmbedderFacts;
  readonly #guard: Guard<Embedder>;
  readonly #cache: TransformationCache | null;
  readonly #options: EmbeddingOptions;
  readonly #signal: AbortSignal;
  readonly #logger: Logger;
  readonly #pending: Pending[] = [];
  #running = 0;
  #timer: NodeJS.Timeout | null = null;
  #cacheFails = false;

  constructor(
    facts: EmbedderFacts,
    guard: Guard<Embedder>,
    cache: TransformationCache | null,
    options: EmbeddingOptions,
    logger: Logger,
    signal: AbortSignal,
  ) {
    this.facts = facts;
    this.#guard = guard;
    this.#cache = cache;
    this.#options = options;
    this.#logger = logger;
    this.#signal = signal;
  }

  /**
   * Vectors of stored texts, in order; null for a text that the provider refuses. Throws the provider's error when
   * it cannot be reached, refuses the key or reports an exhausted quota. `fresh`: not from the cache.
   */
  async documents(
    texts: readonly string[],
    options: { fresh: boolean },
  ): Promise<(Float32Array | null)[]> {
    const keys = texts.map((text) => this.#key(text));
    const known = options.fresh ? new Map<string, Float32Array>() : await this.#remembered(keys);
    return Promise.all(
      texts.map((text, at) => {
        const key = keys[at] ?? '';
        return Promise.resolve(known.get(key) ?? this.#enqueue(text, key));
      }),
    );
  }

  /** Throws `embedding_unavailable`. */
  async query(text: string, signal: AbortSignal): Promise<Float32Array> {
    try {
      const [vector] = await this.#call([text], 'query', anySignal(this.#signal, signal));
      if (vector === undefined) throw new Error('it returned no vector');
      if (!hasOnlyFinite(vector)) throw new Error(notFinite);
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

  #enqueue(text: string, key: string): Promise<Float32Array | null> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ text, key, resolve, reject });
      if (this.#pending.length >= this.#options.batchSize) this.#flush();
      else this.#timer ??= setTimeout(() => this.#flush(), gatherMs);
    });
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    while (this.#pending.length > 0 && this.#running < this.#options.concurrency) {
      const batch = this.#pending.splice(0, this.#options.batchSize);
      this.#running++;
      void this.#embed(batch).finally(() => {
        this.#running--;
        this.#flush();
      });
    }
  }

  async #embed(batch: readonly Pending[]): Promise<void> {
    try {
      const texts = batch.map(({ text }) => text);
      const vectors = await withRetries(
        () => this.#call(texts, 'document', this.#signal),
        this.#signal,
      );
      const usable = vectors.map((vector) => this.#usable(vector));
      await this.#remember(batch, usable);
      batch.forEach(({ resolve }, at) => resolve(usable[at] ?? null));
    } catch (error) {
      if (isAboutProvider(error)) batch.forEach(({ reject }) => reject(error));
      else await this.#isolate(batch, error);
    }
  }

  /** A batch that was refused is halved until the bad text is alone. */
  async #isolate(batch: readonly Pending[], error: unknown): Promise<void> {
    const [only, ...others] = batch;
    if (only !== undefined && others.length === 0) {
      this.#logger.warn('a text could not be embedded', { error: messageOf(error) });
      only.resolve(null);
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await this.#embed(batch.slice(0, middle));
    await this.#embed(batch.slice(middle));
  }

  async #call(
    texts: readonly string[],
    purpose: 'document' | 'query',
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const vectors = await this.#guard.call('embed', callLimitMs, signal, (embedder) =>
      embedder.embed(texts, { purpose, signal }),
    );
    if (vectors.length !== texts.length) {
      throw new TroveError(
        'plugin_invalid',
        `The embedder returned ${vectors.length} vectors for ${texts.length} texts`,
      );
    }
    const wrong = vectors.find((vector) => vector.length !== this.facts.dimension);
    if (wrong !== undefined) {
      throw new TroveError(
        'plugin_invalid',
        `The embedder returned a vector of ${wrong.length} dimensions; it states ${this.facts.dimension}`,
      );
    }
    return vectors;
  }

  #key(text: string): string {
    return createHash('sha256')
      .update(`embedding\0${this.facts.model}\0${this.facts.dimension}\0`)
      .update(text)
      .digest('hex');
  }

  async #remembered(keys: readonly string[]): Promise<Map<string, Float32Array>> {
    const vectors = new Map<string, Float32Array>();
    const found = await this.#withCache((cache) => cache.getMany(keys));
    for (const [key, bytes] of found ?? []) {
      if (bytes.byteLength === this.facts.dimension * 4) {
        vectors.set(key, new Float32Array(Uint8Array.from(bytes).buffer));
      }
    }
    return vectors;
  }

  /** One NaN in a vector would make every comparison with it one. */
  #usable(vector: Float32Array): Float32Array | null {
    if (hasOnlyFinite(vector)) return vector;
    this.#logger.warn('a text could not be embedded', { error: notFinite });
    return null;
  }

  async #remember(
    batch: readonly Pending[],
    vectors: readonly (Float32Array | null)[],
  ): Promise<void> {
    const entries = new Map<string, Uint8Array>();
    batch.forEach(({ key }, at) => {
      const vector = vectors[at];
      if (vector) {
        entries.set(key, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
      }
    });
    await this.#withCache((cache) => cache.putMany(entries));
  }

  /** A cache that fails costs time, never an object: it is said once, until the cache answers again. */
  async #withCache<T>(use: (cache: TransformationCache) => Promise<T>): Promise<T | undefined> {
    if (this.#cache === null) return undefined;
    try {
      const result = await use(this.#cache);
      this.#cacheFails = false;
      return result;
    } catch (error) {
      if (!this.#cacheFails) {
        this.#logger.warn('the transformation cache failed; embedding without it', {
          error: messageOf(error),
        });
      }
      this.#cacheFails = true;
      return undefined;
    }
  }
}

function hasOnlyFinite(vector: Float32Array): boolean {
  return vector.every(Number.isFinite);
}

/** Whether an error says something of the provider or the engine, not of the texts. */
function isAboutProvider(error: unknown): boolean {
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
