import type { ConformanceCase } from '../case.js';
import { lifecycleCases } from './lifecycle-cases.js';
import { replaceCases } from './replace-cases.js';
import { scopeCases } from './scope-cases.js';
import { searchCases } from './search-cases.js';
import type { VectorIndexSubject } from './subject.js';
import { maintenanceCases } from './maintenance-cases.js';

/** Requirements on every vector index. Each case needs a new, empty subject. */
export const vectorIndexCases: readonly ConformanceCase<VectorIndexSubject>[] = [
  ...replaceCases,
  ...searchCases,
  ...scopeCases,
  ...lifecycleCases,
  ...maintenanceCases,
];
export type { VectorIndexSubject } from './subject.js';
