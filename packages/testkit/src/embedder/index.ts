export { embedderCases } from './cases.js';
export { embedderFaultCases } from './fault-cases.js';
export type { EmbedderFault, EmbedderSubject, FaultyEmbedderSubject } from './subject.js';
