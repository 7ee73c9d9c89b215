import { TroveError } from '@trove/core';
import {
  defineEmbedder,
  type Embedder,
  type EmbedderPlugin,
  type EmbedOptions,
} from '@trove/core/model';
import { holdUntilReleased } from './held.js';
import { throwFailure } from './provider-failure.js';

/** Faults of a memory embedder, which tests may change at any time. */
export interface MemoryEmbedderFaults {
  /** Fails every call in this way. */
  failure?: 'auth' | 'quota' | 'unreachable' | null;
  /** Refuses batches with a text that includes this. */
  refuse?: string | null;
  /** Answers wait for this. */
  hold?: Promise<void> | null;
}

export interface MemoryEmbedderOptions {
  /** Default `memory`. */
  readonly model?: string;
  /** Default 64. */
  readonly dimension?: number;
  readonly faults?: MemoryEmbedderFaults;
}

const defaultDimension = 64;

/** Embeds hashed word counts. Equal texts have equal vectors, and texts with common words are close. */
export class MemoryEmbedder implements Embedder {
  readonly model: string;
  readonly dimension: number;
  readonly nature = 'lexical';
  readonly faults: MemoryEmbedderFaults;
  /** Every embedded batch in order. */
  readonly batches: string[][] = [];

  constructor(options: MemoryEmbedderOptions = {}) {
    this.model = options.model ?? 'memory';
    this.dimension = options.dimension ?? defaultDimension;
    this.faults = options.faults ?? {};
  }

  async embed(texts: readonly string[], { signal }: EmbedOptions): Promise<Float32Array[]> {
    signal.throwIfAborted();
    await holdUntilReleased(this.faults.hold, signal);
    this.#fail(texts);
    this.batches.push([...texts]);
    return texts.map((text) => this.#vector(text));
  }

  #fail(texts: readonly string[]): void {
    const { failure, refuse } = this.faults;
    throwFailure(failure, 'embedding');
    if (typeof refuse === 'string' && texts.some((text) => text.includes(refuse))) {
      throw new TroveError('validation_error', 'A text is refused.');
    }
  }

  #vector(text: string): Float32Array {
    const vector = new Float32Array(this.dimension);
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text];
    for (const word of words) {
      const at = hashOf(word) % this.dimension;
      vector[at] = (vector[at] ?? 0) + 1;
    }
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  }
}

/** FNV-1a of the characters with an additional mixing step, because large texts have hundreds of thousands of words. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) {
    hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Returns an embedder plugin for the provider `memory`. All its embedders share the faults. */
export function memoryEmbedder(options: MemoryEmbedderOptions = {}): EmbedderPlugin {
  return defineEmbedder({
    keys: ['memory'],
    configSchema: { type: 'object', properties: {} },
    create: () => new MemoryEmbedder(options),
  });
}
