export * from './pattern.js';
export type { LineMatch, LineSearch, MatchPlace } from './match-lines.js';
export * from './match-in-time.js';
export * from './pattern-of.js';
