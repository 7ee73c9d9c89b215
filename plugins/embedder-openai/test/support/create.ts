import type { Embedder } from '@trove/core/model';
import { pluginContext } from '@trove/testkit';

import plugins from '../../src/index.js';
import { apiKey, serverDimension } from './openai-server.js';

const [openai, ollama, ...others] = plugins;

type Config = Parameters<typeof openai.create>[0]['config'];

interface Overrides extends Partial<Omit<Config, 'dimension'>> {
  /** Null omits it. */
  readonly dimension?: number | null;
}

/** Creates the plugin's embedder for a server, as the engine does. */
export async function createEmbedder(
  baseUrl: string,
  { dimension = serverDimension, ...overrides }: Overrides = {},
): Promise<Embedder> {
  return openai.create(
    pluginContext({
      config: {
        model: 'test-model',
        base_url: baseUrl,
        api_key: apiKey,
        batch_size: 128,
        ...(dimension === null ? {} : { dimension }),
        ...overrides,
      },
    }),
  );
}

/** Creates Ollama's embedder for a server, with default settings. */
export async function createOllama(baseUrl: string): Promise<Embedder> {
  return ollama.create(
    pluginContext({ config: { model: 'nomic-embed-text', base_url: baseUrl, batch_size: 128 } }),
  );
}

/** Creates the embedder of another local server, with default settings except its address. */
export async function createLocal(
  key: 'lmstudio' | 'vllm' | 'tei',
  baseUrl: string,
  model: string,
): Promise<Embedder> {
  const plugin = others.find(({ keys }) => keys.some((each) => each === key));
  if (plugin === undefined) throw new Error(key);
  const { batch_size: batchSize } = plugin.configSchema.properties;
  const endpoint = { base_url: baseUrl, api_key: apiKey };
  return plugin.create(
    pluginContext({ config: { model, ...endpoint, batch_size: batchSize.default } }),
  );
}
