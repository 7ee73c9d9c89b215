import { TroveError } from '@trove/core';
import { defineReranker, type Reranker, type RerankerPlugin } from '@trove/core/model';
import { holdUntilReleased } from './held.js';
import { throwFailure } from './provider-failure.js';

/** Faults of a memory reranker, which tests may change at any time. */
export interface MemoryRerankerFaults {
  /** Fails every call in this way. */
  failure?: 'auth' | 'quota' | 'unreachable' | null;
  /** Refuses calls with a text that includes this. */
  refuse?: string | null;
  /** Answers wait for this. */
  hold?: Promise<void> | null;
}

/** Counts the words that a text shares with the question. */
export class MemoryReranker implements Reranker {
  readonly model = 'memory';
  readonly faults: MemoryRerankerFaults;
  /** The question and texts of every call in order. */
  readonly calls: { readonly question: string; readonly texts: readonly string[] }[] = [];

  constructor(faults: MemoryRerankerFaults = {}) {
    this.faults = faults;
  }

  async rerank(
    question: string,
    texts: readonly string[],
    { signal }: { readonly signal: AbortSignal },
  ): Promise<number[]> {
    signal.throwIfAborted();
    await holdUntilReleased(this.faults.hold, signal);
    this.#fail(texts);
    this.calls.push({ question, texts: [...texts] });
    const wanted = wordsOf(question);
    return texts.map((text) => [...wordsOf(text)].filter((word) => wanted.has(word)).length);
  }

  #fail(texts: readonly string[]): void {
    const { failure, refuse } = this.faults;
    throwFailure(failure, 'llm');
    if (typeof refuse === 'string' && texts.some((text) => text.includes(refuse))) {
      throw new TroveError('validation_error', 'A text is refused.');
    }
  }
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** Returns a reranker plugin for the provider `memory`. All its rerankers share the faults. */
export function memoryReranker(faults: MemoryRerankerFaults = {}): RerankerPlugin {
  return defineReranker({
    keys: ['memory'],
    configSchema: { type: 'object', properties: {} },
    create: () => new MemoryReranker(faults),
  });
}
