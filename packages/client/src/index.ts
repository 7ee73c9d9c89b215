export * from './generated/index.js';
export { type AskStreamEvent, askEvents } from './runtime/ask-events.js';
export type { CallOptions, ClientConfiguration } from './runtime/configuration.js';
export { TroveApiError, type TroveApiFailure } from './runtime/error.js';
export { type ExportedText, exportText } from './runtime/export-text.js';
export { HttpClient, type ReceivedEvent } from './runtime/http.js';
export type { ApiRequest, UploadBody } from './runtime/request.js';
