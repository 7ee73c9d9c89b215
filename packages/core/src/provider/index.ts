export { ProviderApi, withoutLoneSurrogates, type ProviderApiOptions } from './provider-api.js';
export type { FailureWords } from './failures.js';
