import { normalizeName } from '../../identity/names.js';
import type { RelationInPassage } from '../store/passage-record.js';
import type { Vocabulary } from '../store/vocabulary.js';

/** The three parts of a relation, normalised: the same whatever its spelling. */
export function relationKey(
  { subject, predicate, object }: RelationInPassage,
  vocabulary: Vocabulary,
): string {
  return [
    vocabulary.entities.text(vocabulary.entityOf(subject)),
    normalizeName(vocabulary.predicates.text(predicate)),
    vocabulary.entities.text(vocabulary.entityOf(object)),
  ].join('\0');
}
