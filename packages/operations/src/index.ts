export {
  responseByStatus,
  contentResponse,
  emptyResponse,
  jsonResponse,
  jsonOrOtherResponse,
  jsonOrEventsResponse,
  jsonType,
  eventsType,
  streamedJsonResponse,
  type OperationResponse,
  type ResponseByStatus,
  type ContentResponse,
  type EmptyResponse,
  type JsonOrEventsResponse,
  type JsonResponse,
  type SingleResponse,
  type StreamedJsonResponse,
  type Success,
} from './response.js';
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
export { withCommands, withoutCommand, withTools, type Exposure } from './exposure.js';
export { errorEnvelope, type ErrorFormat } from './error-format.js';
export { errorsOf } from './errors.js';
export { openApiDocument } from './openapi/document.js';
export { includesRights, type Rights } from '@trove/engine/api';
export {
  operation,
  tags,
  type GateLimits,
  type HttpMethod,
  type NamedOperation,
  type Operation,
  type Tag,
} from './operation.js';
export * from './table/index.js';
