export * from './ast.js';
export { parseFilter } from './parse.js';
export { fieldsOf } from './normalize.js';
export { matchesFilter } from './match.js';
