export {
  byStatus,
  content,
  empty,
  json,
  jsonOrOther,
  jsonType,
  streamedJson,
  type Answer,
  type AnswerByStatus,
  type ContentAnswer,
  type EmptyAnswer,
  type JsonAnswer,
  type SingleAnswer,
  type StreamedJsonAnswer,
  type Success,
} from './answer.js';
export {
  formBody,
  jsonBody,
  streamBody,
  streamedJsonBody,
  type FormBody,
  type FormOptions,
  type JsonBody,
  type NoBody,
  type RequestBody,
  type StreamBody,
  type StreamedJsonBody,
} from './body.js';
export { withCommands, withoutCommand, type Doors } from './doors.js';
export { envelope, type ErrorShape } from './error-shape.js';
export { errorsOf } from './errors.js';
export { openApiDocument } from './openapi/document.js';
export {
  operation,
  tags,
  type GateLimits,
  type Method,
  type NamedOperation,
  type Operation,
  type Tag,
} from './operation.js';
export * from './table/index.js';
