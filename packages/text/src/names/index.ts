export { functionWords } from './function-words.js';
export { maxNameWords, nameSpans, type NameSpan } from './name-spans.js';
export { normalizeName } from './normalize-name.js';
export { sentenceNumbers } from './sentences.js';
export { wordsOf, type WordSpan } from './words.js';
