export { analyze } from './analyze.js';
export { nameInQuestion } from './asked-names.js';
export { languageMarks, languageOf } from './language.js';
export {
  respellings,
  shows,
  spelledWords,
  wordsIndexedAs,
  type Respelling,
  type SpelledWord,
} from './spelling.js';
export {
  documentTerms,
  queryForms,
  queryTerms,
  type DocumentTerms,
  type IndexedText,
  type QueryTerms,
} from './terms.js';
