import type { PassageStore } from '../store/passage-store.js';
import type { ParsedQuestion } from './question.js';
import { scaleToOne } from './scale.js';

const titleFactor = 4;

/** Scores passages, by slot, that contain entities of the question. Rare entities score higher. In (0,1]. */
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
