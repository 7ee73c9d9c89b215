export { analyze } from './analyze.js';
export { findDefinitionName } from './query-names.js';
export { isCommonWord, languageMarks, languageOf } from './language.js';
export { relatedTerms } from './related-words.js';
export {
  suggestSpellings,
  containsWordForm,
  correctableWords,
  wordsWithTerm,
  type SpellingSuggestion,
  type CorrectableWord,
} from './spelling.js';
export {
  documentTerms,
  queryStemTerms,
  queryTerms,
  queryWords,
  type DocumentTerms,
  type IndexedText,
  type QueryTerms,
  type QueryWord,
} from './terms.js';
