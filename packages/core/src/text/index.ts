export { analyze } from './analyze.js';
export { documentTerms, queryTerms, type IndexedText, type Terms } from './terms.js';
