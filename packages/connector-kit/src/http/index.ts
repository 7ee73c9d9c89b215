export { defineHttpConnector } from './define.js';
export type * from './description/index.js';
