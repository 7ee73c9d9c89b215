export * from './media-types.js';
export * from './pdf.js';
