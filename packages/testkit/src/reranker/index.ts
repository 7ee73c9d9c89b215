export { rerankerCases } from './cases.js';
export { rerankerFaultCases } from './fault-cases.js';
export type { FaultyRerankerSubject, RerankerFault, RerankerSubject } from './subject.js';
