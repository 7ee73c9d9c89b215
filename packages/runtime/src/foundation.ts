import type { Logger } from '@trove/core';
import type { VectorIndex } from '@trove/core/index';
import type { MetadataStore } from '@trove/core/store';
import type { ConversionService } from './conversion/conversion-service.js';
import type { DisposalStack } from './disposal.js';
import type { EmbeddingService } from './services/embedding-service.js';
import type { LanguageModelService } from './services/language-model-service.js';

/** The opened plugins that the engine and the graphs share; whoever opened them closes them, after those who use them. */
export interface Foundation {
  readonly logger: Logger;
  /** Aborts when everything closes. */
  readonly signal: AbortSignal;
  readonly disposal: DisposalStack;
  readonly store: MetadataStore;
  readonly index: VectorIndex;
  readonly embedding: EmbeddingService;
  readonly conversions: ConversionService;
  /** The configured one, opened when it is first asked for. */
  readonly languageModel: () => Promise<LanguageModelService>;
  /** The one that needs no provider, for when the configured one fails; null when they are the same. */
  readonly fallbackModel: (() => Promise<LanguageModelService>) | null;
}
