import { relativePath } from '@trove/core';
import type { HitExplanation, ResultEnvelope } from '../../api/schemas.js';
import {
  explainedWords,
  keywordPartsOf,
  SearchBudget,
  type ExplainedSearch,
  type KeywordParts,
} from './explained-words.js';
import type { HitQuery, SearchHit } from './hit-finder.js';
import type { HitScorer, HitScores } from './hit-scores.js';
import { RankingTrace, type ArmTrace, type CandidateTrace } from './ranking-trace.js';
import { usesWords, type RetrievalPlan } from './retrieval-plan.js';

/** Explains the hits of one search while they are found. */
export interface SearchExplainer {
  /** Returns a function that ranks as `rank` does, and remembers the candidates. */
  record(rank: HitQuery['rank']): HitQuery['rank'];
  /** Returns the explanation of a hit without its rank, its words and its copies. */
  explain(hit: SearchHit, scores: HitScores): HitExplanation;
}

/** How an explained hit was found. */
interface ExplainedHit {
  readonly key: string;
  readonly source: string;
  readonly trace: CandidateTrace;
  readonly plan: RetrievalPlan;
  readonly search: ExplainedSearch;
}

interface ExplainedPage {
  /** The hits before reranking, from `foundOffset`. */
  readonly found: readonly ResultEnvelope[];
  readonly foundOffset: number;
  readonly results: readonly ResultEnvelope[];
  readonly offset: number;
  /** The roots of the sources. */
  readonly roots: readonly string[];
}

/** Explains the hits of one request. Their words are explained once the page is known. */
export class HitExplanations {
  /** Whether the caller may know how common words are. */
  readonly #isExact: boolean;
  /** How hits were found, by the explanation that they carry through merging and reranking. */
  readonly #hits = new Map<HitExplanation, ExplainedHit>();

  constructor({ isExact }: Pick<HitScorer, 'isExact'>) {
    this.#isExact = isExact;
  }

  /** `factorOf` returns the demotion factor of a hit. */
  ofSearch(
    plan: RetrievalPlan,
    search: ExplainedSearch,
    factorOf: (hit: SearchHit) => number,
  ): SearchExplainer {
    const trace = new RankingTrace(plan);
    return {
      record: (rank) => trace.record(rank),
      explain: (hit, scores) => {
        const found = trace.of(hit.rank.key);
        const explanation = this.#explain(hit, scores, found, factorOf(hit));
        const { key } = hit.rank;
        this.#hits.set(explanation, { key, source: hit.row.source, trace: found, plan, search });
        return explanation;
      },
    };
  }

  /** Completes the explanations of a page. */
  async finish(page: ExplainedPage): Promise<ResultEnvelope[]> {
    const { found, foundOffset, results, offset, roots } = page;
    const ranks = new Map(found.map(({ explanation }, at) => [explanation, foundOffset + at + 1]));
    const parts = await this.#keywordParts(results);
    return results.map((hit, at) => {
      const { explanation } = hit;
      const explained = explanation === undefined ? undefined : this.#hits.get(explanation);
      if (explanation === undefined || explained === undefined) return hit;
      const { search, trace, key } = explained;
      const path = pathBelow(roots, hit.source);
      const keywordScore = trace.keyword?.score ?? null;
      const own = { hit, path, key, keywordScore };
      const { words, names, pairs } = explainedWords(search.words, own, parts.get(search) ?? null);
      const { keyword } = explanation;
      const { scores, also } = hit.metadata;
      return {
        ...hit,
        explanation: {
          ...explanation,
          rank: ranks.get(explanation) ?? offset + at + 1,
          keyword: keyword === null ? null : { ...keyword, names, pairs },
          words,
          copies: also.length,
          reranker: scores.rerank === null ? null : { score: scores.rerank, rank: offset + at + 1 },
        },
      };
    });
  }

  #explain(
    hit: SearchHit,
    { score, best, dense, sparse }: HitScores,
    { keyword, semantic, fused }: CandidateTrace,
    factor: number,
  ): HitExplanation {
    return {
      rank: 1,
      ranking_score: this.#isExact ? fused * factor : null,
      keyword:
        keyword === null ? null : { ...this.#armOf(keyword, sparse), names: null, pairs: null },
      semantic: semantic === null ? null : this.#armOf(semantic, dense),
      words: [],
      demotion_factor: factor,
      copies: 0,
      moved_back: hit.isMovedBack,
      best_score: best,
      relative_score: best === 0 ? 0 : score / best,
      reranker: null,
    };
  }

  /** `shown` is the score that the caller gets with the hit. */
  #armOf({ rank, score, scaled, weight }: ArmTrace, shown: number | null): ArmTrace {
    return this.#isExact
      ? { rank, score, scaled, weight }
      : { rank, score: shown, scaled: null, weight };
  }

  /** Queries the keyword scores of the hits on a page, for each search, with one budget. */
  async #keywordParts(
    results: readonly ResultEnvelope[],
  ): Promise<ReadonlyMap<ExplainedSearch, KeywordParts>> {
    const parts = new Map<ExplainedSearch, KeywordParts>();
    if (!this.#isExact) return parts;
    const hits = results.flatMap(({ explanation }) =>
      explanation === undefined ? [] : (this.#hits.get(explanation) ?? []),
    );
    const budget = new SearchBudget();
    for (const { search, plan } of hits) {
      if (parts.has(search)) continue;
      const own = hits.filter((each) => each.search === search);
      const sources = new Set(own.map(({ source }) => source));
      parts.set(search, await keywordPartsOf(search, [...sources], usesWords(plan), budget));
    }
    return parts;
  }
}

/** Returns the path of an object below the root of its source, or the name of an object that is a source. */
function pathBelow(roots: readonly string[], source: string): string {
  const paths = roots.flatMap((root) => relativePath(root, source) ?? []);
  const path = paths.toSorted((a, b) => a.length - b.length)[0] ?? '';
  return path === ''
    ? (relativePath(source.slice(0, source.lastIndexOf('/')), source) ?? '')
    : path;
}
