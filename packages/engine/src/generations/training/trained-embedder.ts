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

/** What the embedder has learned from the texts of this namespace, shared by all processes through the store. */
export class TrainedEmbedder {
  readonly #training: TrainingCatalog;
  readonly #embedding: string;
  readonly #logger: Logger;
  /** Whether the embedder learns at all. */
  readonly isTrainable: boolean;
  #known: TrainedState | null = null;
  #askedAt = -Infinity;
  #asking: Promise<TrainedState | null> | null = null;

  constructor(training: TrainingCatalog, embedding: string, isPossible: boolean, logger: Logger) {
    this.#training = training;
    this.#embedding = embedding;
    this.#logger = logger;
    this.isTrainable = isPossible;
  }

  /** As it was last time somebody asked; null: nothing was learned. */
  get cached(): TrainedState | null {
    return this.#known;
  }

  /** As the store has it now. */
  async current(): Promise<TrainedState | null> {
    if (!this.isTrainable) return null;
    const id = await this.#training.currentId(this.#embedding);
    if (id !== (this.#known?.id ?? null)) {
      const fit = id === null ? null : await this.#training.get(this.#embedding);
      this.#known = fit && shared(fit);
    }
    this.#askedAt = performance.now();
    return this.#known;
  }

  /** As it was a moment ago, or as far as is known while the store does not answer. */
  async recent(): Promise<TrainedState | null> {
    if (!this.isTrainable || performance.now() - this.#askedAt < maxAgeMs) return this.#known;
    this.#asking ??= this.current()
      .catch((error: unknown) => {
        this.#logger.warn('what the embedder learned could not be read', {
          error: messageOf(error),
        });
        return this.#known;
      })
      .finally(() => (this.#asking = null));
    return this.#asking;
  }

  /** Puts what was learned in the place of what is known, unless another process was faster. */
  async replace(state: Uint8Array): Promise<void> {
    const id = createHash('sha256').update(state).digest('hex').slice(0, idLength);
    await this.#training.replace(this.#embedding, { id, state }, this.#known?.id ?? null);
    await this.current();
  }
}

/** In memory that threads read without a copy of their own. */
function shared({ id, state }: TrainedState): TrainedState {
  const bytes = new Uint8Array(new SharedArrayBuffer(state.byteLength));
  bytes.set(state);
  return { id, state: bytes };
}
