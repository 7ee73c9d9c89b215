import { apiVersion, type Definition } from '../plugin.js';
import type { JsonSchema } from '../../schema.js';
import type { VectorIndexPlugin } from './vector-index.js';

export function defineVectorIndex<const S extends JsonSchema>(
  definition: Definition<VectorIndexPlugin<S>>,
): VectorIndexPlugin<S> {
  return { kind: 'vector-index', apiVersion, ...definition };
}
