/** Ignore rules: built-in ones and patterns as in `.gitignore` files. */
export { builtInRule, dependsOnContent, type IgnoreCandidate } from './defaults.js';
export type { BuiltInRule } from './built-in-rules.js';
export { IgnoreMatcher, type IgnoreSubject, type IgnoreVerdict } from './matcher.js';
export { PathRules } from './path-rules.js';
