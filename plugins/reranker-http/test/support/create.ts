import type { Reranker } from '@trove/core/model';
import { pluginContext } from '@trove/testkit';

import plugins from '../../src/index.js';
import { apiKey } from './rerank-server.js';

const [cohere, tei] = plugins;

/** Creates the plugin's reranker for a server, as the engine does. */
export async function createReranker(
  protocol: 'cohere' | 'tei',
  baseUrl: string,
  key = apiKey,
): Promise<Reranker> {
  const endpoint = { base_url: baseUrl, api_key: key };
  return protocol === 'cohere'
    ? cohere.create(pluginContext({ config: { model: 'test-model', ...endpoint } }))
    : tei.create(pluginContext({ config: { model: 'tei', batch_size: 32, ...endpoint } }));
}
