export {
  ProviderApi,
  withoutLoneSurrogates,
  type ProviderApiOptions,
  type StreamedResponse,
} from './provider-api.js';
export { configFormats } from './config-formats.js';
export { networkOf, type Network } from './networks.js';
export { retryAfterMs } from './retry-after.js';
export { refusedParameter, type ProviderErrorOptions } from './failures.js';
export {
  endpointProperties,
  ollamaAdvice,
  ollamaBaseUrl,
  openAiAdvice,
} from './openai-endpoint.js';
