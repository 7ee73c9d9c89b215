import type { LanguageModel } from '@trove/core/model';
import { chatServer, pluginContext } from '@trove/testkit';

import plugins from '../../src/index.js';

export const apiKey = 'sk-test-canary-1234567890';
/** A prompt with this is refused. */
export const refusedKey = 'REFUSED';
/** A prompt with this is answered with nothing. */
export const silentLogger = 'SILENT';

const [openai, ollama] = plugins;

type Config = Parameters<typeof openai.create>[0]['config'];

/** The plugin's model for a server, as the engine would make it. */
export async function createModel(
  baseUrl: string,
  overrides: Partial<Config> = {},
): Promise<LanguageModel> {
  const config = { model: 'test-model', base_url: baseUrl, api_key: apiKey, ...overrides };
  return openai.create(pluginContext({ config }));
}

/** Ollama's model for a server, with nothing else configured. */
export async function createOllama(baseUrl: string): Promise<LanguageModel> {
  return ollama.create(pluginContext({ config: { model: 'gemma3', base_url: baseUrl } }));
}

/** An address that nothing listens at any more. */
export async function closedBaseUrl(): Promise<string> {
  const server = await chatServer();
  await server[Symbol.asyncDispose]();
  return server.baseUrl;
}
