import type { GraphRelation } from '@trove/client';

const maxNameChars = 60;

/** A question about the subject of a relation, and one that needs two relations. */
export function questionsOf(relations: readonly GraphRelation[]): string[] {
  const [first] = relations.filter(({ subject, object }) =>
    [subject, object].every((name) => name.length <= maxNameChars),
  );
  if (first === undefined) return [];
  const next = relations.find(
    ({ subject, object }) => subject === first.object && object !== first.subject,
  );
  const about = `Who or what ${first.predicate} ${first.object}?`;
  return next === undefined
    ? [about]
    : [about, `How are ${first.subject} and ${next.object} connected?`];
}
