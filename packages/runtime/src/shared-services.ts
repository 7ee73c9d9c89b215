import type { Logger } from '@trove/core';
import type { VectorIndex } from '@trove/core/index';
import type { MetadataStore } from '@trove/core/store';
import type { ConversionService } from './conversion/conversion-service.js';
import type { DisposalStack } from './disposal.js';
import type { EmbeddingService } from './services/embedding-service.js';
import type { LanguageModelService } from './services/language-model-service.js';

/** The opened plugins that the engine and the graphs share. Their opener closes them last. */
export interface SharedServices {
  readonly logger: Logger;
  /** Aborts when everything closes. */
  readonly signal: AbortSignal;
  readonly disposal: DisposalStack;
  readonly store: MetadataStore;
  readonly index: VectorIndex;
  readonly embedding: EmbeddingService;
  readonly conversions: ConversionService;
  /** The configured language model, opened on first use. */
  readonly languageModel: () => Promise<LanguageModelService>;
  /** The language model without a provider, used when the configured one fails. Null if they are the same. */
  readonly fallbackModel: (() => Promise<LanguageModelService>) | null;
}
