import { isDocumentPart } from '../store/passage-record.js';
import type { PassageStore } from '../store/passage-store.js';
import type { Steps } from '../../time-slices.js';
import type { EvidenceKind } from '../types.js';
import { findBridges, maxStarts, type Bridge } from './bridge.js';
import { Coverage } from './coverage.js';
import { bestSlots, Evidence, type RankOptions, type ScoredSlot } from './evidence.js';
import type { Fact } from './facts.js';
import type { ParsedQuestion } from './question.js';
import { sentenceMatch } from './sentence-match.js';

/** Maximum weight of bridges from the best passages, then from passages reached by bridges. */
const bridgeWeights = [0.5, 0.2];
/**
 * Number of best passages whose sentences are compared with the question. Only parts of documents are, because they share
 * names with all other parts.
 */
const maxMatched = 50;
const sentenceWeight = 0.6;
/** Factor of bridges to parts of documents, which share the terms of their subject with many others. */
const documentBridgeFactor = 0.1;

export interface RankedPassage extends ScoredSlot {
  readonly via: EvidenceKind;
  /** The bridge to the passage, if it is the main evidence. */
  readonly bridge: Bridge | null;
}

export interface Ranking {
  /** Best first. */
  readonly passages: readonly RankedPassage[];
  /** Best first. */
  readonly facts: readonly Fact[];
  /** Number of passages with a score. */
  readonly considered: number;
}

/** Ranks relevant passages and passages that bridges reach from them. */
export function* rank(
  question: ParsedQuestion,
  store: PassageStore,
  options: RankOptions & { readonly passageTopK: number },
): Steps<Ranking> {
  const evidence = yield* Evidence.for(question, store, options);
  const { candidates, facts } = evidence;
  const scores = new Map(Array.from(candidates, (slot) => [slot, evidence.score(slot)]));
  const bridgesBySlot = new Map<number, Bridge>();
  const coverage = new Coverage(question, store);
  for (const { slot, score } of bestSlots(scoredOf(scores), maxMatched, store)) {
    if (!isDocumentPart(store.record(slot))) continue;
    scores.set(slot, score + sentenceWeight * sentenceMatch(coverage.of(slot), question));
  }
  yield;
  for (const weight of bridgeWeights) {
    const starts = bestSlots(scoredOf(scores), maxStarts, store);
    const context = { store, question, coverage, matching: options.matching, candidates };
    const bridges = yield* findBridges(starts, context);
    for (const [slot, bridge] of scaleBridges(bridges, weight, store)) {
      scores.set(slot, (scores.get(slot) ?? evidence.score(slot)) + bridge.score);
      const known = bridgesBySlot.get(slot);
      bridgesBySlot.set(slot, { ...(known ?? bridge), score: (known?.score ?? 0) + bridge.score });
    }
  }
  const passages = bestSlots(scoredOf(scores), options.passageTopK, store);
  const best = passages[0]?.score ?? 1;
  return {
    passages: passages.map(({ slot, score }) => ({
      slot,
      score: score / best,
      ...mainEvidence(evidence, slot, bridgesBySlot.get(slot)),
    })),
    facts,
    considered: scores.size,
  };
}

function* scoredOf(scores: ReadonlyMap<number, number>): Generator<ScoredSlot> {
  for (const [slot, score] of scores) yield { slot, score };
}

/** Scales the best bridge to `weight`, then lowers the scores of bridges to parts of documents. */
function* scaleBridges(
  found: ReadonlyMap<number, Bridge>,
  weight: number,
  store: PassageStore,
): Generator<[number, Bridge]> {
  let best = 0;
  for (const { score } of found.values()) best = Math.max(best, score);
  if (best === 0) return;
  for (const [slot, bridge] of found) {
    const factor = isDocumentPart(store.record(slot)) ? documentBridgeFactor : 1;
    yield [slot, { ...bridge, score: (factor * weight * bridge.score) / best }];
  }
}

/** Returns the kind of evidence with the largest contribution. */
function mainEvidence(
  evidence: Evidence,
  slot: number,
  bridge: Bridge | undefined,
): Pick<RankedPassage, 'via' | 'bridge'> {
  const { anchor, fact, lexical, dense } = evidence.of(slot);
  const kinds: [EvidenceKind, number][] = [
    ['anchor', anchor],
    ['fact', fact],
    ['lexical', lexical],
    ['dense', dense],
    ['bridge', bridge?.score ?? 0],
  ];
  const [via] = kinds.reduce((best, each) => (each[1] > best[1] ? each : best));
  return { via, bridge: via === 'bridge' ? (bridge ?? null) : null };
}
