import type { Engine } from '@trove/engine';
import type { GraphOptions } from '@trove/graph';
import { redactUrl } from '@trove/runtime';
import type { ResolvedSettings } from './settings/resolve.js';

const publicBaseUrl = 'https://api.openai.com/v1';

/** Converts the settings to the options of the graphs. The engine reads their sources. */
export function graphOptions(
  settings: ResolvedSettings,
  engine: Pick<Engine, 'texts'>,
): GraphOptions {
  const { graph, llm, embedding, index, ingest } = settings;
  return {
    defaultGraph: graph.default_graph,
    maxTokensPerBuild: llm.max_tokens_per_job,
    privateHosts: graph.private_hosts,
    maxDocumentBytes: ingest.max_file_bytes,
    reader: {
      texts: async function* (target, options) {
        yield* await engine.texts({ path: target }, options);
      },
    },
    publicSettings: {
      llmProvider: llm.provider,
      llmModel: llm.provider === 'rules' ? 'rules' : (llm.model ?? null),
      llmKeySet: llm.api_key !== undefined,
      llmBaseUrl: redactUrl(llm.base_url ?? publicBaseUrl),
      embeddingProvider: embedding.provider,
      embeddingModel: embedding.model ?? null,
      embeddingKeySet: embedding.api_key !== undefined,
      embeddingBaseUrl: embedding.base_url === undefined ? null : redactUrl(embedding.base_url),
      indexUri: redactUrl(index.uri),
    },
  };
}
