import {
  checkPluginUses,
  indexScheme,
  type ConfiguredPlugin,
  type PluginUse,
} from '@trove/runtime';
import type { EngineOptions } from './options.js';
import { languageModelProvider } from './query/search/second-stage.js';
import { defaultEmbedder, languageModelOptions } from './resolve-options.js';

/** Checks every plugin that an engine with these options would open, and those configured in `pluginConfig`. */
export function checkConfiguredPlugins(options: EngineOptions): Promise<ConfiguredPlugin[]> {
  const { metadata, transformationCache: cache, index, embedding } = options;
  const { requiredConverters: converters = [], rerank } = options;
  const llm = languageModelOptions(options);
  const uses: PluginUse[] = [
    { kind: 'metadata-store', key: metadata.backend, config: metadata.config },
    ...(cache
      ? [{ kind: 'transformation-cache' as const, key: cache.backend, config: cache.config }]
      : []),
    { kind: 'vector-index', key: indexScheme(index.uri), config: index.config },
    { kind: 'embedder', key: embedding?.provider ?? defaultEmbedder, config: embedding?.config },
    ...converters.map((key) => ({ kind: 'converter' as const, key, config: undefined })),
    { kind: 'language-model', key: llm.provider, config: llm.config },
    ...(rerank && rerank.provider !== languageModelProvider
      ? [{ kind: 'reranker' as const, key: rerank.provider, config: rerank.config }]
      : []),
  ];
  return checkPluginUses(options, uses);
}
