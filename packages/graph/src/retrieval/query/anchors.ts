import type { PassageStore } from '../store/passage-store.js';
import type { ParsedQuestion } from './question.js';
import { scaleToOne } from './scale.js';

const titleFactor = 4;

/** How strongly passages are tied to the entities that the question names, by slot: the rarer, the stronger. In (0,1]. */
export function anchorScores(
  { links }: ParsedQuestion,
  store: PassageStore,
  matching: Uint8Array,
): Map<number, number> {
  const scores = new Map<number, number>();
  for (const entity of links) {
    const share = 1 / store.passagesOfEntity(entity);
    const titled = new Set(store.titlePostings.read(entity));
    for (const slot of store.entityPostings.read(entity)) {
      if (matching[slot] === 0) continue;
      const score = titled.has(slot) ? titleFactor * share : share;
      scores.set(slot, (scores.get(slot) ?? 0) + score);
    }
  }
  return scaleToOne(scores);
}
