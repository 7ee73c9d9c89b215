export * from './pattern.js';
export type { LineMatch, LineSearch } from './match-lines.js';
export * from './match-in-time.js';
