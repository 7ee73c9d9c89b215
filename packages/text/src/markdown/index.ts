export { MarkdownWriter } from './writer.js';
export { escapeText, link, oneLine } from './escape.js';
export { MAX_COLUMNS } from './table.js';
export { decodeHtml } from './html/decode-html.js';
export { mainOf } from './html/main-part.js';
export { writeHtml } from './html/html.js';
export { scripted } from './scripts.js';
export { grouped, shifted } from './linear.js';
export { MathReader } from './math-reader.js';
