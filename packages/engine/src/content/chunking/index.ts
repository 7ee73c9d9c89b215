export * from './chunk.js';
export * from './chunk-definitions.js';
export * from './chunk-text.js';
export * from './enclosing-lines.js';
export type { ClassifiedText } from './format.js';
export * from './named-definitions.js';
export * from './outline.js';
export * from './record.js';
export * from './thread.js';
