import type { RelationParts } from '../store/passage-record.js';
import type { Vocabulary } from '../store/vocabulary.js';

/** Returns a key that is equal for all spellings of a relation. */
export function relationKey(
  { subject, predicate, object }: RelationParts,
  vocabulary: Vocabulary,
): string {
  const [from, to] = [vocabulary.entityOf(subject), vocabulary.entityOf(object)];
  return `${from} ${vocabulary.formOf(predicate)} ${to}`;
}
