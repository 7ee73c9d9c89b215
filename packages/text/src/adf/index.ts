export { adfToMarkdown } from './adf.js';
