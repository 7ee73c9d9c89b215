import { apiVersion, type Definition } from '../plugin.js';
import type { JsonSchema } from '../../schema.js';
import type { EmbedderPlugin } from './embedder.js';
import type { LanguageModelPlugin } from './language-model.js';
import type { RerankerPlugin } from './reranker.js';

export function defineEmbedder<const S extends JsonSchema>(
  definition: Definition<EmbedderPlugin<S>>,
): EmbedderPlugin<S> {
  return { kind: 'embedder', apiVersion, ...definition };
}

export function defineLanguageModel<const S extends JsonSchema>(
  definition: Definition<LanguageModelPlugin<S>>,
): LanguageModelPlugin<S> {
  return { kind: 'language-model', apiVersion, ...definition };
}

export function defineReranker<const S extends JsonSchema>(
  definition: Definition<RerankerPlugin<S>>,
): RerankerPlugin<S> {
  return { kind: 'reranker', apiVersion, ...definition };
}
