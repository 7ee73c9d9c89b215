import type { LanguageModel } from '@trove/core/model';
import { chatServer, pluginContext } from '@trove/testkit';

import plugins from '../../src/index.js';

export const apiKey = 'sk-test-canary-1234567890';
/** A prompt that the server rejects. */
export const refusedKey = 'REFUSED';
/** A prompt that gets no answer. */
export const silentLogger = 'SILENT';

const [openai, ollama] = plugins;

type Config = Parameters<typeof openai.create>[0]['config'];

/** Creates the plugin's model for a server, as the engine does. */
export async function createModel(
  baseUrl: string,
  overrides: Partial<Config> = {},
): Promise<LanguageModel> {
  const config = { model: 'test-model', base_url: baseUrl, api_key: apiKey, ...overrides };
  return openai.create(pluginContext({ config }));
}

/** Creates Ollama's model for a server, with default settings. */
export async function createOllama(baseUrl: string): Promise<LanguageModel> {
  return ollama.create(pluginContext({ config: { model: 'gemma3', base_url: baseUrl } }));
}

/** A URL without a server. */
export async function closedBaseUrl(): Promise<string> {
  const server = await chatServer();
  await server[Symbol.asyncDispose]();
  return server.baseUrl;
}
