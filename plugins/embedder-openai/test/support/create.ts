import { silentLogger, TroveError, type Embedder } from '@trove/core';

import plugin from '../../src/index.js';
import { apiKey, DIMENSION } from './openai-server.js';

type Config = Parameters<typeof plugin.create>[0]['config'];

interface Overrides extends Partial<Omit<Config, 'dimension'>> {
  /** Null: left out. */
  readonly dimension?: number | null;
}

/** The plugin's embedder for a server, as the engine would make it. */
export async function createEmbedder(
  baseUrl: string,
  { dimension = DIMENSION, ...overrides }: Overrides = {},
): Promise<Embedder> {
  return plugin.create({
    config: {
      model: 'test-model',
      base_url: baseUrl,
      api_key: apiKey,
      batch_size: 128,
      ...(dimension === null ? {} : { dimension }),
      ...overrides,
    },
    logger: silentLogger,
    signal: new AbortController().signal,
    fetch: globalThis.fetch,
    error: (code, detail, options) => new TroveError(code, detail, options),
  });
}
