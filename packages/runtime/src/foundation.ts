import type { Logger, MetadataStore, VectorIndex } from '@trove/core';
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
  /** Opened when it is first asked for. Throws `config_invalid` when none is configured. */
  languageModel(): Promise<LanguageModelService>;
}
