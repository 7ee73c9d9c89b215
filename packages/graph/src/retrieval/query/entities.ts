import type { PassageStore } from '../store/passage-store.js';
import type { StatedRelation } from '../subgraph/stated-relations.js';
import type { ParsedQuestion } from './question.js';

export interface ScoredEntityNumber {
  readonly entity: number;
  /** In (0,1]. */
  readonly score: number;
}

/** Returns the graph's entities named in a question, in its order. Rare entities score higher. */
export function linkedEntities(
  { links }: ParsedQuestion,
  store: PassageStore,
  matching: Uint8Array,
): ScoredEntityNumber[] {
  return links
    .filter((entity) => store.isInGraph(entity) && hasMatch(entity, store, matching))
    .map((entity) => ({ entity, score: rarity(entity, store) }));
}

/** Adds the ends of relevant relations to the linked entities. Returns the best first. */
export function bestEntities(
  linked: readonly ScoredEntityNumber[],
  facts: readonly { readonly statement: StatedRelation; readonly score: number }[],
): ScoredEntityNumber[] {
  const scores = new Map(linked.map(({ entity, score }) => [entity, score]));
  for (const { statement, score } of facts) {
    for (const entity of [statement.subject, statement.object]) {
      scores.set(entity, Math.max(score, scores.get(entity) ?? 0));
    }
  }
  // The sort is stable, so the first of equal scores stays first.
  return Array.from(scores, ([entity, score]) => ({ entity, score })).sort(
    (a, b) => b.score - a.score,
  );
}

function hasMatch(entity: number, store: PassageStore, matching: Uint8Array): boolean {
  return store.entityPostings.read(entity).some((slot) => matching[slot] === 1);
}

function rarity(entity: number, store: PassageStore): number {
  const share = Math.log(store.passagesOfEntity(entity)) / Math.log(store.size + 1);
  return Math.max(Number.EPSILON, 1 - share);
}
