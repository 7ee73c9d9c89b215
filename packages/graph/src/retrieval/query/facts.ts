import {
  countBits,
  maxCount,
  relationAt,
  visitSomeRelations,
  type RelationParts,
} from '../store/passage-record.js';
import { countWeight, type PassageStore } from '../store/passage-store.js';
import type { ParsedQuestion } from './question.js';
import { relationKey } from './relation-key.js';
import type { Steps } from '../../time-slices.js';
import { Top } from './top.js';

/** Maximum number of relations that are compared in detail. */
const maxSortedRelations = 2000;
/** Relations compared per step. */
const relationsPerStep = 2000;

/** A relation of a passage that is relevant to the question. */
export interface Fact {
  readonly slot: number;
  readonly relation: RelationParts;
  /** Equal for the same relation in other passages. */
  readonly key: string;
  /** Cosine with the question. */
  readonly score: number;
}

interface ScoredRelationEntry {
  readonly slot: number;
  /** Position of the relation in the passage's record. */
  readonly at: number;
  readonly score: number;
}

/**
 * Finds the best `count` relations of the candidates, best first. A relation in several passages appears once per
 * passage.
 */
export function* findBestFacts(
  candidates: Iterable<number>,
  question: ParsedQuestion,
  store: PassageStore,
  count: number,
): Steps<Fact[]> {
  const best = yield* scoreRelations(candidates, question, store);
  const facts: Fact[] = [];
  const keys = new Set<string>();
  for (const { slot, at, score } of best) {
    const relation = relationAt(store.record(slot), at);
    const key = relationKey(relation, store.vocabulary);
    if (!keys.has(key) && keys.size === count) {
      if (score < (facts.at(-1)?.score ?? 0)) break;
      continue;
    }
    keys.add(key);
    facts.push({ slot, relation, key, score });
  }
  return facts;
}

/** Returns the best fact score of each passage, by slot, scaled to 1. */
export function factScores(facts: readonly Fact[]): Map<number, number> {
  const best = facts[0]?.score ?? 1;
  const scores = new Map<number, number>();
  for (const { slot, score } of facts) {
    if (!scores.has(slot)) scores.set(slot, score / best);
  }
  return scores;
}

function* scoreRelations(
  candidates: Iterable<number>,
  question: ParsedQuestion,
  store: PassageStore,
): Steps<ScoredRelationEntry[]> {
  const weights = new Map(question.terms.map(({ term, weight }) => [term, weight]));
  const norm = Math.hypot(...weights.values());
  const best = new Top<ScoredRelationEntry>(maxSortedRelations, (a, b) => {
    if (a.score !== b.score) return a.score > b.score;
    return a.slot === b.slot ? a.at < b.at : store.slots.idOf(a.slot) < store.slots.idOf(b.slot);
  });
  let compared = 0;
  for (const slot of candidates) {
    const record = store.record(slot);
    let next: number | null = null;
    do {
      next = visitSomeRelations(record, next, relationsPerStep, (at, from, to) => {
        compared++;
        const score = similarity(record, from, to, weights, store) / norm;
        if (score > 0 && score >= (best.worst?.score ?? 0)) best.add({ slot, at, score });
      });
      if (compared >= relationsPerStep) {
        compared = 0;
        yield;
      }
    } while (next !== null);
  }
  return best.sorted();
}

/** Returns the cosine of a relation with the question, times the length of the question's vector. */
function similarity(
  record: Uint32Array,
  from: number,
  to: number,
  weights: ReadonlyMap<number, number>,
  store: PassageStore,
): number {
  let product = 0;
  let squares = 0;
  for (let at = from; at < to; at++) {
    const packed = record[at] ?? 0;
    const term = packed >>> countBits;
    const own = countWeight(packed & maxCount) * store.idf(term);
    product += own * (weights.get(term) ?? 0);
    squares += own * own;
  }
  return squares === 0 ? 0 : product / Math.sqrt(squares);
}
