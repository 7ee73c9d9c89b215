export { canonicalName } from './canonical-name.js';
export { functionWords } from './function-words.js';
export { maxNameWords, namesLanguage, nameSpans, type NameSpan } from './name-spans.js';
export { normalizeName } from './normalize-name.js';
export { isInCapitals, isShouted, lowerWordsOf } from './shouting.js';
export { sentenceNumbers } from './sentences.js';
export { wordsOf, type WordSpan } from './words.js';
