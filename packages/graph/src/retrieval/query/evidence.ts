import { isByRules } from '../store/passage-record.js';
import type { PassageStore } from '../store/passage-store.js';
import type { Via } from '../types.js';
import { anchorScores } from './anchors.js';
import { bestFacts, factScores, type Fact } from './facts.js';
import { denseScores, lexicalScores } from './lexical.js';
import type { Question } from './question.js';
import type { Steps } from '../../turns.js';
import { top } from './top.js';

const SIMILAR_CANDIDATES = 200;
/** The limit of candidates among passages with a name of the question. */
const ANCHOR_CANDIDATES = 2000;
const ANCHOR_WEIGHT = 0.4;
const SIMILARITY_WEIGHT = 0.4;
const FACT_WEIGHT = 0.2;
/** Relations made by rules say less about what a passage states. */
const RULE_FACT_WEIGHT = 0.1;

export interface RankOptions {
  /** For each slot 1 if its passage counts. */
  readonly matching: Uint8Array;
  /** The number of relations that may add to the scores of their passages. */
  readonly relationTopK: number;
  readonly dense?: ReadonlyMap<string, number> | undefined;
}

export interface Scored {
  readonly slot: number;
  readonly score: number;
}

/** How much each kind of evidence adds to a passage's score. */
export type Parts = Readonly<Record<Exclude<Via, 'bridge'>, number>>;

/** The evidence for each passage on its own, without bridges from other passages. */
export class Evidence {
  readonly candidates: ReadonlySet<number>;
  readonly #store: PassageStore;
  readonly #lexical: Float64Array;
  readonly #dense: Float64Array | null;
  readonly #anchors: ReadonlyMap<number, number>;
  #facts: ReadonlyMap<number, number> = new Map();
  #found: readonly Fact[] = [];

  private constructor(question: Question, store: PassageStore, options: RankOptions) {
    const { matching, dense } = options;
    this.#store = store;
    this.#lexical = lexicalScores(question, store, matching);
    this.#dense = dense === undefined ? null : denseScores(dense, store, matching);
    this.#anchors = anchorScores(question, store, matching);
    this.candidates = new Set(this.#candidates());
  }

  static *for(question: Question, store: PassageStore, options: RankOptions): Steps<Evidence> {
    const evidence = new Evidence(question, store, options);
    const { candidates } = evidence;
    evidence.#found = yield* bestFacts(candidates, question, store, options.relationTopK);
    evidence.#facts = factScores(evidence.#found);
    return evidence;
  }

  /** The best relations, best first. */
  get facts(): readonly Fact[] {
    return this.#found;
  }

  of(slot: number): Parts {
    const byRules = this.#facts.has(slot) && isByRules(this.#store.record(slot));
    const share = SIMILARITY_WEIGHT / (this.#dense === null ? 1 : 2);
    return {
      lexical: share * (this.#lexical[slot] ?? 0),
      dense: share * (this.#dense?.[slot] ?? 0),
      anchor: ANCHOR_WEIGHT * (this.#anchors.get(slot) ?? 0),
      fact: (byRules ? RULE_FACT_WEIGHT : FACT_WEIGHT) * (this.#facts.get(slot) ?? 0),
    };
  }

  score(slot: number): number {
    const { lexical, dense, anchor, fact } = this.of(slot);
    return lexical + dense + anchor + fact;
  }

  *#candidates(): Generator<number> {
    const slots = this.#lexical.keys();
    for (const { slot } of best(this.#scored(slots, false), SIMILAR_CANDIDATES, this.#store))
      yield slot;
    const anchored = this.#scored(this.#anchors.keys(), true);
    for (const { slot } of best(anchored, ANCHOR_CANDIDATES, this.#store)) yield slot;
  }

  /** Passages with a positive score, by similarity alone or by all evidence. */
  *#scored(slots: Iterable<number>, withAnchors: boolean): Generator<Scored> {
    for (const slot of slots) {
      const similarity = (this.#lexical[slot] ?? 0) + (this.#dense?.[slot] ?? 0);
      const score = withAnchors ? this.score(slot) : similarity;
      if (score > 0) yield { slot, score };
    }
  }
}

/** The best `count` passages, best first. Ties are ordered by id. */
export function best(scored: Iterable<Scored>, count: number, store: PassageStore): Scored[] {
  return top(scored, count, (a, b) =>
    a.score === b.score ? store.slots.idOf(a.slot) < store.slots.idOf(b.slot) : a.score > b.score,
  );
}
