export { FUNCTION_WORDS } from './function-words.js';
export { MAX_NAME_WORDS, nameSpans, type NameSpan } from './name-spans.js';
export { normalizeName } from './normalize-name.js';
export { sentenceNumbers } from './sentences.js';
export { wordsOf, type Word } from './words.js';
