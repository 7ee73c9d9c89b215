export { parseJson, readBody } from './body.js';
export type { ServiceReply } from './client.js';
export { createHttpConnector } from './connector.js';
export { defineHttpConnector } from './define.js';
export type * from './description/index.js';
export {
  HttpService,
  serviceLogin,
  type HttpServiceDescription,
  type ServiceRequestOptions,
} from './http-service.js';
export {
  assertHttpDescription,
  descriptionProblems,
  httpDescriptionSchema,
} from './schema/index.js';
