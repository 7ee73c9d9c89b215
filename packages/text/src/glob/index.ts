/** Path patterns as in `.gitignore` files, matched in bounded time for any pattern. */
export { PathPattern } from './path-pattern.js';
export { compilePathFilter, readGlobs } from './path-filter.js';
