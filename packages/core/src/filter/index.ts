export * from './ast.js';
export { parseFilter } from './parse.js';
export { matchesFilter } from './match.js';
