import type { RelationParts } from '../store/passage-record.js';
import type { Vocabulary } from '../store/vocabulary.js';

/** The same for a relation whatever the spelling of its three parts. */
export function relationKey(
  { subject, predicate, object }: RelationParts,
  vocabulary: Vocabulary,
): string {
  const [from, to] = [vocabulary.entityOf(subject), vocabulary.entityOf(object)];
  return `${from} ${vocabulary.formOf(predicate)} ${to}`;
}
