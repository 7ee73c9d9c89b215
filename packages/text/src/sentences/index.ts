export { sentencesOf, tableHeaderLevel, type Sentence, type SentenceKind } from './sentences.js';
