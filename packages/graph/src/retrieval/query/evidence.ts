import { isByRules } from '../store/passage-record.js';
import type { PassageStore } from '../store/passage-store.js';
import type { EvidenceKind } from '../types.js';
import { anchorScores } from './anchors.js';
import { findBestFacts, factScores, type Fact } from './facts.js';
import { denseScores, lexicalScores } from './lexical.js';
import type { ParsedQuestion } from './question.js';
import type { Steps } from '../../time-slices.js';
import { top } from './top.js';

const maxSimilarCandidates = 200;
/** Maximum number of candidates among passages with a name of the question. */
const maxAnchorCandidates = 2000;
const anchorWeight = 0.4;
const similarityWeight = 0.4;
const factWeight = 0.2;
/** Relations made by rules are weaker evidence. */
const ruleFactWeight = 0.1;

export interface RankOptions {
  /** 1 for each slot whose passage matches the filter. */
  readonly matching: Uint8Array;
  /** Number of relations that may raise the scores of their passages. */
  readonly relationTopK: number;
  readonly dense?: ReadonlyMap<string, number> | undefined;
}

export interface ScoredSlot {
  readonly slot: number;
  readonly score: number;
}

/** The contribution of each kind of evidence to a passage's score. */
export type EvidenceScores = Readonly<Record<Exclude<EvidenceKind, 'bridge'>, number>>;

/** The evidence for each passage on its own, without bridges. */
export class Evidence {
  readonly candidates: ReadonlySet<number>;
  readonly #store: PassageStore;
  readonly #lexical: Float64Array;
  readonly #dense: Float64Array | null;
  readonly #anchors: ReadonlyMap<number, number>;
  #facts: ReadonlyMap<number, number> = new Map();
  #bestFacts: readonly Fact[] = [];

  private constructor(question: ParsedQuestion, store: PassageStore, options: RankOptions) {
    const { matching, dense } = options;
    this.#store = store;
    this.#lexical = lexicalScores(question, store, matching);
    this.#dense = dense === undefined ? null : denseScores(dense, store, matching);
    this.#anchors = anchorScores(question, store, matching);
    this.candidates = new Set(this.#candidates());
  }

  static *for(
    question: ParsedQuestion,
    store: PassageStore,
    options: RankOptions,
  ): Steps<Evidence> {
    const evidence = new Evidence(question, store, options);
    const { candidates } = evidence;
    evidence.#bestFacts = yield* findBestFacts(candidates, question, store, options.relationTopK);
    evidence.#facts = factScores(evidence.#bestFacts);
    return evidence;
  }

  /** The best relations, best first. */
  get facts(): readonly Fact[] {
    return this.#bestFacts;
  }

  of(slot: number): EvidenceScores {
    const byRules = this.#facts.has(slot) && isByRules(this.#store.record(slot));
    const share = similarityWeight / (this.#dense === null ? 1 : 2);
    return {
      lexical: share * (this.#lexical[slot] ?? 0),
      dense: share * (this.#dense?.[slot] ?? 0),
      anchor: anchorWeight * (this.#anchors.get(slot) ?? 0),
      fact: (byRules ? ruleFactWeight : factWeight) * (this.#facts.get(slot) ?? 0),
    };
  }

  score(slot: number): number {
    const { lexical, dense, anchor, fact } = this.of(slot);
    return lexical + dense + anchor + fact;
  }

  *#candidates(): Generator<number> {
    const slots = this.#lexical.keys();
    for (const { slot } of bestSlots(this.#scored(slots, false), maxSimilarCandidates, this.#store))
      yield slot;
    const anchored = this.#scored(this.#anchors.keys(), true);
    for (const { slot } of bestSlots(anchored, maxAnchorCandidates, this.#store)) yield slot;
  }

  /** Yields passages with a positive score, by similarity alone or by all evidence. */
  *#scored(slots: Iterable<number>, withAnchors: boolean): Generator<ScoredSlot> {
    for (const slot of slots) {
      const similarity = (this.#lexical[slot] ?? 0) + (this.#dense?.[slot] ?? 0);
      const score = withAnchors ? this.score(slot) : similarity;
      if (score > 0) yield { slot, score };
    }
  }
}

/** Returns the best `count` passages, best first. Orders ties by id. */
export function bestSlots(
  scored: Iterable<ScoredSlot>,
  count: number,
  store: PassageStore,
): ScoredSlot[] {
  return top(scored, count, (a, b) =>
    a.score === b.score ? store.slots.idOf(a.slot) < store.slots.idOf(b.slot) : a.score > b.score,
  );
}
