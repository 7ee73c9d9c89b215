import { silentLogger, TroveError, type PluginContext, type Reranker } from '@trove/core';

import plugins from '../../src/index.js';
import { apiKey } from './rerank-server.js';

const [cohere, tei] = plugins;

/** The plugin's reranker for a server, as the engine would make it. */
export async function createReranker(
  protocol: 'cohere' | 'tei',
  baseUrl: string,
  key = apiKey,
): Promise<Reranker> {
  const endpoint = { base_url: baseUrl, api_key: key };
  return protocol === 'cohere'
    ? cohere.create(context({ model: 'test-model', ...endpoint }))
    : tei.create(context({ model: 'tei', batch_size: 32, ...endpoint }));
}

function context<C>(config: C): PluginContext<C> {
  return {
    config,
    logger: silentLogger,
    signal: new AbortController().signal,
    http: globalThis.fetch,
    error: (code, detail, options) => new TroveError(code, detail, options),
  };
}
