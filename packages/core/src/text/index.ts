export { analyze } from './analyze.js';
export {
  documentTerms,
  queryTerms,
  type DocumentTerms,
  type IndexedText,
  type Terms,
} from './terms.js';
