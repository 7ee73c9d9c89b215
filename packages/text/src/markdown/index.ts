export { MarkdownWriter } from './writer.js';
export { escapeText, formatLink, toOneLine } from './escape.js';
export { maxTableColumns } from './table.js';
export { decodeHtml } from './html/decode-html.js';
export { findMainContent } from './html/main-content.js';
export { writeHtml } from './html/html.js';
export { toScript } from './scripts.js';
export { parenthesize, formatScript } from './linear-math.js';
export { MathReader } from './math-reader.js';
