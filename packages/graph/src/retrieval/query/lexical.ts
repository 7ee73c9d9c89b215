import { countBits, maxCount } from '../store/passage-record.js';
import { countWeight, type PassageStore } from '../store/passage-store.js';
import type { ParsedQuestion } from './question.js';

/** Returns each slot's cosine with the question, divided by the best one. Slots that do not match have 0. */
export function lexicalScores(
  question: ParsedQuestion,
  store: PassageStore,
  matching: Uint8Array,
): Float64Array {
  const scores = new Float64Array(store.slots.length);
  for (const { term, idf, weight } of question.terms) {
    for (const packed of store.termPostings.read(term)) {
      const slot = packed >>> countBits;
      if (matching[slot] === 0) continue;
      scores[slot] = (scores[slot] ?? 0) + weight * countWeight(packed & maxCount) * idf;
    }
  }
  const norms = store.inverseNorms;
  for (let slot = 0; slot < scores.length; slot++) {
    const score = scores[slot] ?? 0;
    if (score > 0) scores[slot] = score * (norms[slot] ?? 0);
  }
  return divideByBest(scores);
}

/** Returns each slot's given similarity, divided by the best one. Slots that do not match have 0. */
export function denseScores(
  similarities: ReadonlyMap<string, number>,
  store: PassageStore,
  matching: Uint8Array,
): Float64Array {
  const scores = new Float64Array(store.slots.length);
  for (const [id, similarity] of similarities) {
    const slot = store.slots.of(id);
    if (slot === undefined || matching[slot] === 0) continue;
    scores[slot] = Number.isFinite(similarity) ? Math.max(0, similarity) : 0;
  }
  return divideByBest(scores);
}

function divideByBest(scores: Float64Array): Float64Array {
  let best = 0;
  for (const score of scores) if (score > best) best = score;
  if (best === 0) return scores;
  for (let slot = 0; slot < scores.length; slot++) scores[slot] = (scores[slot] ?? 0) / best;
  return scores;
}
