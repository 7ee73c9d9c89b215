export { defineHttpConnector } from './define.js';
export type * from './description/index.js';
export { assertHttpDescription, httpDescriptionSchema } from './schema/index.js';
