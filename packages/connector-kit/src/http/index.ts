export { parseJson, readBody } from './body.js';
export type { ServiceReply } from './client.js';
export { createHttpConnector } from './connector.js';
export { defineHttpConnector } from './define.js';
export { htmlToMarkdown } from '../html-markdown.js';
export type * from './description/index.js';
export { signJwt } from './login/jwt.js';
export { loginMethod } from './login/oauth-login.js';
export { because, googleErrors, googleLogin, googleLoginSettings } from './login/google.js';
export {
  HttpService,
  serviceLogin,
  type HttpServiceDescription,
  type HttpServiceOptions,
  type ServiceRequestOptions,
} from './http-service.js';
export { pageError } from './paging.js';
export {
  assertHttpDescription,
  descriptionProblems,
  httpDescriptionSchema,
} from './schema/index.js';
