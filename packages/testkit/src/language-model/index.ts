export { languageModelCases } from './cases.js';
export { languageModelChatCases, languageModelImageCases } from './chat-cases.js';
export { languageModelFaultCases } from './fault-cases.js';
export { languageModelStreamCases } from './stream-cases.js';
export { openChatStream, type ChatStream, type ChatStreamOptions } from './chat-stream.js';
export type {
  FaultyLanguageModelSubject,
  LanguageModelFault,
  LanguageModelSubject,
} from './subject.js';
export {
  chatServer,
  sendChat,
  sendChatError,
  type ChatAnswer,
  type ChatReply,
  type ChatServer,
  type ChatServerOptions,
  type ChatServerState,
  type SeenChatRequest,
} from './chat-server.js';
