import { entitiesOf, sentenceBitCount, type EntityInPassage } from '../store/passage-record.js';
import type { PassageStore } from '../store/passage-store.js';
import type { Steps } from '../../time-slices.js';
import { Coverage, type PassageCoverage } from './coverage.js';
import type { ParsedQuestion } from './question.js';

/** Number of best passages that bridges start from. */
export const maxStarts = 5;
/** A more frequent name leads only to passages titled with it and to existing candidates. */
const maxPassages = 60;
const titleFactor = 2;
const fixedWeight = 0.6;
const fixedCoverage = 0.3;

/** The best bridge to a passage. */
export interface Bridge {
  readonly score: number;
  /** The passage where the bridge starts, and the shared entity. */
  readonly from: number;
  readonly entity: number;
}

export interface BridgeContext {
  readonly store: PassageStore;
  readonly question: ParsedQuestion;
  readonly coverage: Coverage;
  readonly matching: Uint8Array;
  /** By slot. */
  readonly candidates: ReadonlySet<number>;
}

interface BridgeStart {
  readonly slot: number;
  readonly score: number;
  /** The part of each question term that the passage does not cover, and the sum of these. */
  readonly residual: Float64Array;
  readonly open: number;
}

/** Finds the best bridge to each passage that shares an entity with one of the best passages, by slot. */
export function* findBridges(
  ranking: readonly { readonly slot: number; readonly score: number }[],
  context: BridgeContext,
): Steps<Map<number, Bridge>> {
  const found = new Map<number, Bridge>();
  for (const { slot, score } of ranking.slice(0, maxStarts)) {
    const start = createStart(slot, score, context);
    for (const { entity, weight, isTitle } of findBridgeEntities(start, context)) {
      yield;
      for (const { slot: to, isTitled } of findTargets(entity, context)) {
        if (to === slot) continue;
        const factor = isTitle || isTitled ? titleFactor : 1;
        const reached = fixedCoverage + residualCoverage(start, context.coverage.of(to));
        const bridge = { score: score * weight * factor * reached, from: slot, entity };
        if (isBetter(bridge, found.get(to), context.store)) found.set(to, bridge);
      }
    }
  }
  return found;
}

function isBetter(bridge: Bridge, known: Bridge | undefined, store: PassageStore): boolean {
  if (known === undefined || bridge.score !== known.score)
    return bridge.score > (known?.score ?? 0);
  const { entities } = store.vocabulary;
  // The earlier start wins, then the first entity by name.
  return bridge.from === known.from && entities.text(bridge.entity) < entities.text(known.entity);
}

function createStart(
  slot: number,
  score: number,
  { question, coverage }: BridgeContext,
): BridgeStart {
  const { shares } = coverage.of(slot);
  const residual = Float64Array.from(
    question.terms,
    ({ idf }, place) => idf * (1 - (shares[place] ?? 0)),
  );
  return { slot, score, residual, open: residual.reduce((sum, each) => sum + each, 0) };
}

function residualCoverage({ residual, open }: BridgeStart, { shares }: PassageCoverage): number {
  if (open === 0) return 0;
  let covered = 0;
  for (let place = 0; place < residual.length; place++) {
    covered += (residual[place] ?? 0) * (shares[place] ?? 0);
  }
  return covered / open;
}

/** Finds the entities that lead from a passage to others, with their weights. */
function findBridgeEntities(
  { slot }: BridgeStart,
  { store, question, coverage }: BridgeContext,
): { entity: number; weight: number; isTitle: boolean }[] {
  const covered = coverage.of(slot);
  const candidates = [...entitiesOf(store.record(slot))]
    .filter(({ entity }) => store.passagesOfEntity(entity) > 1)
    .filter(({ entity }) => isBridgeName(entity, question, store))
    .map((each) => ({ ...each, sentence: bestSentenceCoverage(each, covered, question) }));
  const best = Math.max(0, ...candidates.map(({ sentence }) => sentence));
  return candidates.map(({ entity, isTitle, sentence }) => {
    const relevance = best === 0 ? 0 : sentence / best;
    const weight = rarity(entity, store) * (fixedWeight + (1 - fixedWeight) * relevance);
    return { entity, weight, isTitle };
  });
}

/** Tests if a name is new compared with the question and is not a common noun. */
function isBridgeName(entity: number, question: ParsedQuestion, store: PassageStore): boolean {
  const words = store.vocabulary.entities.text(entity).split(' ');
  if (words.every((word) => question.words.has(word))) return false;
  const [only = ''] = words;
  return words.length > 1 || !store.isCommonNoun(only, entity);
}

/** Returns the greatest share of the question that a sentence with the entity covers. */
function bestSentenceCoverage(
  { sentences }: EntityInPassage,
  covered: PassageCoverage,
  { terms, totalIdf }: ParsedQuestion,
): number {
  let best = 0;
  for (let bit = 0; bit < sentenceBitCount; bit++) {
    if ((sentences & (1 << bit)) === 0) continue;
    let sum = 0;
    for (const [place, { idf }] of terms.entries()) {
      if (((covered.sentences[place] ?? 0) & (1 << bit)) !== 0) sum += idf;
    }
    best = Math.max(best, sum);
  }
  return totalIdf === 0 ? 0 : best / totalIdf;
}

/** In (0,1]. An entity of a single passage has 1. */
function rarity(entity: number, store: PassageStore): number {
  return Math.log(store.size / store.passagesOfEntity(entity)) / Math.log(store.size);
}

function findTargets(
  entity: number,
  { store, matching, candidates }: BridgeContext,
): { slot: number; isTitled: boolean }[] {
  const titled = new Set(store.titlePostings.read(entity));
  const isFrequent = store.passagesOfEntity(entity) > maxPassages;
  const found: { slot: number; isTitled: boolean }[] = [];
  for (const slot of store.entityPostings.read(entity)) {
    if (matching[slot] === 0) continue;
    const isTitled = titled.has(slot);
    if (!isFrequent || isTitled || candidates.has(slot)) found.push({ slot, isTitled });
  }
  return found;
}
