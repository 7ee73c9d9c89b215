import type { Plugin } from '@trove/core';
import { defineLanguageModel } from '@trove/core/model';
import type { Engine, EngineOptions } from '@trove/engine';
import {
  MemoryLanguageModel,
  memoryTransformationCache,
  type MemoryLanguageModelFaults,
} from '@trove/testkit';
import { World } from './engine.js';

/** Summarizes a text by its first word and an image by its type. */
function gistOf(prompt: string): string {
  const words = prompt.split(/\s+/);
  return `the gist of ${words.slice(0, 3).join(' ')}`;
}

/** A world whose engines share a language model with the test. */
export class SummaryWorld extends World {
  readonly faultsOfModel: MemoryLanguageModelFaults = {};
  beforeAnswer = (): void => {};
  readonly model = new MemoryLanguageModel({
    answer: (prompt) => {
      this.beforeAnswer();
      return gistOf(prompt);
    },
    faults: this.faultsOfModel,
  });
  readonly #cache = memoryTransformationCache();

  openSummarizing(options: Partial<EngineOptions> = {}): Promise<Engine> {
    return this.open({
      plugins: this.plugins(),
      transformationCache: { backend: 'memory' },
      llm: { provider: 'shared', concurrency: 1 },
      summary: { enabled: true, minChars: 10 },
      ...options,
    });
  }

  /** The language model and the cache of its answers. */
  plugins(): Plugin[] {
    const model = defineLanguageModel({
      keys: ['shared'],
      configSchema: { type: 'object', properties: {} },
      create: () => this.model,
    });
    return [model, this.#cache];
  }
}
