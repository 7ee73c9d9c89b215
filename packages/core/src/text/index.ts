export { analyze } from './analyze.js';
export { languageMarks, languageOf, markOf } from './language.js';
export { respellings, shows, spelledWords, type Respelling, type SpelledWord } from './spelling.js';
export {
  documentTerms,
  queryTerms,
  type DocumentTerms,
  type IndexedText,
  type QueryTerms,
} from './terms.js';
