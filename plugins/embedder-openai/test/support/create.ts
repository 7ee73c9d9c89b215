import type { Embedder } from '@trove/core/model';
import { pluginContext } from '@trove/testkit';

import plugins from '../../src/index.js';
import { apiKey, serverDimension } from './openai-server.js';

const [openai, ollama, ...others] = plugins;

type Config = Parameters<typeof openai.create>[0]['config'];

interface Overrides extends Partial<Omit<Config, 'dimension'>> {
  /** Null: left out. */
  readonly dimension?: number | null;
}

/** The plugin's embedder for a server, as the engine would make it. */
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

/** Ollama's embedder for a server, with nothing else configured. */
export async function createOllama(baseUrl: string): Promise<Embedder> {
  return ollama.create(
    pluginContext({ config: { model: 'nomic-embed-text', base_url: baseUrl, batch_size: 128 } }),
  );
}

/** The embedder of another server on this machine, with its own defaults but for the address. */
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
