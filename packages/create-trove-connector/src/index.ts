export { createConnector, type CreateOptions, type Language } from './create.js';
