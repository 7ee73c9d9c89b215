export { defineHttpConnector } from './define.js';
export { explainRequests, type ExplainedRequest } from './explain.js';
export type * from './description/index.js';
export { assertHttpDescription, httpDescriptionSchema } from './schema/index.js';
