export * from './pattern.js';
export type { LineMatch, LineSearch, MatchPosition } from './match-lines.js';
export * from './timed-matches.js';
export * from './build-pattern.js';
