import type { Candidate, IndexCandidates } from '@trove/core/index';
import { createScaler, effectiveWeight, type RankedCandidate } from './fusion.js';
import type { HitQuery } from './hit-finder.js';
import { usesWords, type RetrievalPlan } from './retrieval-plan.js';

/** What one arm knows of a candidate. */
export interface ArmTrace {
  /** From 1. Null if the arm did not return the candidate. */
  readonly rank: number | null;
  readonly score: number | null;
  /** Null if the arm only selects candidates. */
  readonly scaled: number | null;
  /** The weight of the scaled score. */
  readonly weight: number;
}

/** How a candidate was ranked. An arm that did not run is null. */
export interface CandidateTrace {
  readonly keyword: ArmTrace | null;
  readonly semantic: ArmTrace | null;
  /** The weighted sum, before demotion. */
  readonly fused: number;
}

type Rank = HitQuery['rank'];
type TraceArm = (key: string, fused: number) => ArmTrace | null;

/** The candidates of the last ranking, looked up by key. */
interface TracedRanking {
  readonly fused: ReadonlyMap<string, number>;
  readonly keyword: TraceArm;
  readonly semantic: TraceArm;
}

/** Remembers how a plan ranked its candidates. More candidates may be ranked again and again. */
export class RankingTrace {
  readonly #plan: RetrievalPlan;
  #found: IndexCandidates = { dense: [], sparse: [] };
  #ranked: readonly RankedCandidate[] = [];
  #traced: TracedRanking | null = null;

  constructor(plan: RetrievalPlan) {
    this.#plan = plan;
  }

  /** Returns a function that ranks as `rank` does and remembers the candidates. */
  record(rank: Rank): Rank {
    return (found, count) => {
      this.#found = found;
      this.#ranked = rank(found, count);
      this.#traced = null;
      return this.#ranked;
    };
  }

  /** Returns how the last ranking placed the candidate with this key. */
  of(key: string): CandidateTrace {
    this.#traced ??= {
      fused: new Map(this.#ranked.map((each) => [each.key, each.score])),
      keyword: this.#traceArm('keyword', this.#found.sparse),
      semantic: this.#traceArm('semantic', this.#found.dense),
    };
    const fused = this.#traced.fused.get(key) ?? 0;
    const { keyword, semantic } = this.#traced;
    return { keyword: keyword(key, fused), semantic: semantic(key, fused), fused };
  }

  #traceArm(arm: 'keyword' | 'semantic', candidates: readonly Candidate[]): TraceArm {
    const { mode, vector } = this.#plan;
    const isUsed = arm === 'keyword' ? usesWords(this.#plan) : vector !== undefined;
    if (!isUsed) return () => null;
    const places = new Map(candidates.map((each, at) => [each.key, at]));
    const scale = createScaler(candidates);
    const weight = this.#weightOf(arm);
    return (key, fused) => {
      const at = places.get(key) ?? null;
      const score = at === null ? null : (candidates[at]?.score ?? null);
      const scaled = mode === 'hybrid' ? scale(score) : mode === arm ? fused : null;
      return { rank: at === null ? null : at + 1, score, scaled, weight };
    };
  }

  #weightOf(arm: 'keyword' | 'semantic'): number {
    const { mode, weight } = this.#plan;
    if (mode !== 'hybrid') return mode === arm ? 1 : 0;
    const dense = effectiveWeight(this.#found, weight);
    return arm === 'semantic' ? dense : 1 - dense;
  }
}
