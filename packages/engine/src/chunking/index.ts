export * from './chunk-text.js';
export * from './outline.js';
export * from './record.js';
