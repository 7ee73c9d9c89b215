import { createToken } from '@trove/core/di';
import { createHash } from 'node:crypto';
import { messageOf, type Logger } from '@trove/core';
import type { TrainedState } from '@trove/core/model';
import type { TrainingCatalog } from '@trove/core/store';

/** How long queries reuse the trained state. */
const maxAgeMs = 2000;
const idLength = 16;

/** The token of `TrainedEmbedder` in an engine's container. */
export const TrainedEmbedderToken = createToken<TrainedEmbedder>('engine.trained_embedder');

/** The trained state of the embedder for this namespace. All processes share it through the metadata store. */
export class TrainedEmbedder {
  readonly #training: TrainingCatalog;
  readonly #embedding: string;
  readonly #logger: Logger;
  /** Whether the embedder can be trained. */
  readonly isTrainable: boolean;
  #cached: TrainedState | null = null;
  #readAt = -Infinity;
  #reading: Promise<TrainedState | null> | null = null;

  constructor(training: TrainingCatalog, embedding: string, isTrainable: boolean, logger: Logger) {
    this.#training = training;
    this.#embedding = embedding;
    this.#logger = logger;
    this.isTrainable = isTrainable;
  }

  /** The state as of the last read. Null: the embedder is untrained. */
  get cached(): TrainedState | null {
    return this.#cached;
  }

  /** Reads the state from the store. */
  async current(): Promise<TrainedState | null> {
    if (!this.isTrainable) return null;
    const id = await this.#training.currentId(this.#embedding);
    if (id !== (this.#cached?.id ?? null)) {
      const stored = id === null ? null : await this.#training.get(this.#embedding);
      this.#cached = stored && shared(stored);
    }
    this.#readAt = performance.now();
    return this.#cached;
  }

  /** Returns the state, up to 2 s old. While the store fails, returns the previous one. */
  async recent(): Promise<TrainedState | null> {
    if (!this.isTrainable || performance.now() - this.#readAt < maxAgeMs) return this.#cached;
    this.#reading ??= this.current()
      .catch((error: unknown) => {
        this.#logger.warn('the trained state of the embedder could not be read', {
          error: messageOf(error),
        });
        return this.#cached;
      })
      .finally(() => (this.#reading = null));
    return this.#reading;
  }

  /** Stores a new state, unless another process has replaced the current one. */
  async replace(state: Uint8Array): Promise<void> {
    const id = createHash('sha256').update(state).digest('hex').slice(0, idLength);
    await this.#training.replace(this.#embedding, { id, state }, this.#cached?.id ?? null);
    await this.current();
  }
}

/** Copies the state to shared memory, which threads read without a copy of their own. */
function shared({ id, state }: TrainedState): TrainedState {
  const bytes = new Uint8Array(new SharedArrayBuffer(state.byteLength));
  bytes.set(state);
  return { id, state: bytes };
}
