export { parseJson, readBody } from './body.js';
export { createHttpConnector } from './connector.js';
export { defineHttpConnector } from './define.js';
export type * from './description/index.js';
export {
  assertHttpDescription,
  descriptionProblems,
  httpDescriptionSchema,
} from './schema/index.js';
