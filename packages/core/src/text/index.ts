export { analyze } from './analyze.js';
export {
  documentTerms,
  queryTerms,
  type DocumentTerms,
  type IndexedText,
  type QueryTerms,
} from './terms.js';
