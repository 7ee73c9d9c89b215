import { inject, injectable, createToken } from '@trove/core/di';
import {
  parseFilter,
  parseUri,
  relativePath,
  TroveError,
  type Filter,
  type Infer,
} from '@trove/core';
import { demotedReasonField, type IndexScope } from '@trove/core/index';
import { compilePathFilter } from '@trove/text/glob';
import { queryTerms } from '@trove/text/analyzer';
import type { EmbeddingService, Gate } from '@trove/runtime';
import {
  GenerationFinderToken,
  type GenerationFinder,
} from '../../generations/selection/generations.js';
import { LargeJobsToken, type LargeJobs } from '../../generations/scheduling/large-jobs.js';
import {
  TrainedEmbedderToken,
  type TrainedEmbedder,
} from '../../generations/training/trained-embedder.js';
import {
  SourceFinderToken,
  uriOfPart,
  type SourceFinder,
} from '../../sources/connectors/source-finder.js';
import { EmbeddingToken, QueryGateToken } from '../../tokens.js';
import { RankerToken, type Ranker } from './ranker.js';
import {
  chunkKinds,
  maxExplainedHits,
  type ResultEnvelope,
  type searchQuerySchema,
  type SearchResponse,
} from '../../api/schemas.js';
import { PathReasonsToken, type PathReasons } from '../browse/path-reasons.js';
import { toGlobLists, type PathFilterRequest } from '../path-filter/path-filter.js';
import { toPathCondition } from '../path-filter/path-condition.js';
import { requestedReasons } from '../../content/demotion.js';
import { ActiveVocabulary } from '../../generations/selection/active-vocabulary.js';
import { denseWeight } from './dense-weight.js';
import { QueriedNames } from './queried-names.js';
import { toEnvelope } from './envelope.js';
import { demotionFactor } from './hit-demotion.js';
import { HitExplanations } from './hit-explanations.js';
import { findHits, type HitQuery } from './hit-finder.js';
import { parseMembers } from './hit-members.js';
import { HitScorerToken, type HitScorer } from './hit-scores.js';
import { KnownFields } from './known-fields.js';
import { createLivenessCheck } from './liveness.js';
import { mergeHits, partsOf, type GenerationPart } from './generation-parts.js';
import { modifiedRanker } from './modified-ranker.js';
import { correctionOf, presentResponse } from './presentation.js';
import { rerankPage, rangeForRanker, type PageRanker } from './rerank.js';
import {
  armsOf,
  keywordPlan,
  rankingOf,
  relevanceWeight,
  type RetrievalPlan,
} from './retrieval-plan.js';
import { searchedWords } from './searched-words.js';
import { timeCondition } from './time-range.js';
import { unchangedQuery, Spelling, type SpelledQuery } from './spelling.js';
import { mergeForms, WordForms, type FormsByTerm } from './word-forms.js';

/** Weight of the BM25 score of adjacent word pairs relative to that of words. */
const pairWeight = 0.2;

/** A validated search with its scope and filters. */
interface SearchContext {
  readonly query: ValidSearchQuery;
  readonly scope: IndexScope;
  readonly filter: Filter | null;
  readonly isSelected: SourcePredicate;
  readonly ranker: PageRanker;
  /** Null if the query asks for no explanations. */
  readonly explanations: HitExplanations | null;
  readonly signal: AbortSignal;
}

/** The token of `SearchService` in an engine's container. */
export const SearchToken = createToken<SearchService>('engine.search');

/** Answers search queries from the index. */
@injectable()
export class SearchService {
  readonly #generations: GenerationFinder;
  readonly #largeJobs: LargeJobs;
  readonly #embedding: EmbeddingService;
  readonly #trainedEmbedder: TrainedEmbedder;
  readonly #sources: SourceFinder;
  readonly #gate: Gate;
  readonly #ranker: Ranker;
  readonly #pathReasons: PathReasons;
  readonly #scorer: HitScorer;
  readonly #fields: KnownFields;
  readonly #spelling: Spelling;
  readonly #forms: WordForms;
  readonly #names: QueriedNames;

  constructor(
    @inject(GenerationFinderToken) generations: GenerationFinder,
    @inject(LargeJobsToken) largeJobs: LargeJobs,
    @inject(EmbeddingToken) embedding: EmbeddingService,
    @inject(TrainedEmbedderToken) trainedEmbedder: TrainedEmbedder,
    @inject(SourceFinderToken) sources: SourceFinder,
    @inject(QueryGateToken) gate: Gate,
    @inject(RankerToken) ranker: Ranker,
    @inject(PathReasonsToken) pathReasons: PathReasons,
    @inject(HitScorerToken) scorer: HitScorer,
  ) {
    this.#generations = generations;
    this.#largeJobs = largeJobs;
    this.#embedding = embedding;
    this.#trainedEmbedder = trainedEmbedder;
    this.#sources = sources;
    this.#gate = gate;
    this.#ranker = ranker;
    this.#pathReasons = pathReasons;
    this.#scorer = scorer;
    const vocabulary = new ActiveVocabulary(generations, largeJobs);
    this.#fields = new KnownFields(vocabulary);
    this.#spelling = new Spelling(vocabulary);
    this.#forms = new WordForms(vocabulary);
    this.#names = new QueriedNames(vocabulary);
  }

  async search(query: ValidSearchQuery, signal: AbortSignal): Promise<SearchResponse> {
    const { mode, top_k: limit, offset, fields } = query;
    const members = fields === undefined ? null : parseMembers(fields);
    const context = await this.#contextOf(query, signal);
    const { corrected, hits } = await this.#findCorrected(context);
    const ranking = { q: corrected.text, mode, signal };
    const page = await rerankPage(context.ranker, { offset, limit }, hits, ranking);
    const results = await this.#explain(context, hits, page);
    const reason = results.length > 0 ? null : await this.#reasonOf(query, signal);
    const response = {
      results,
      ...correctionOf(corrected),
      ...(reason === null ? {} : { reason }),
    };
    return presentResponse(response, query, corrected, members);
  }

  /** Completes the explanations of a page, if the query asks for them. `found` are the hits before reranking. */
  async #explain(
    { query: { offset, top_k: limit }, ranker, explanations, signal }: SearchContext,
    found: readonly ResultEnvelope[],
    results: ResultEnvelope[],
  ): Promise<ResultEnvelope[]> {
    if (explanations === null) return results;
    const foundOffset = rangeForRanker(ranker, { offset, limit }).offset;
    const roots = (await this.#sources.listParts()).map(uriOfPart);
    return this.#gate.run(
      signal,
      () => explanations.finish({ found, foundOffset, results, offset, roots }),
      { isReturning: true },
    );
  }

  /** Returns why nothing at the path of a query is searched, or null. */
  async #reasonOf({ path, offset }: ValidSearchQuery, signal: AbortSignal): Promise<string | null> {
    if (path === undefined || offset > 0) return null;
    const found = await this.#pathReasons.of(path, signal);
    return found === null ? null : `${found.uri}: ${found.text}`;
  }

  async #contextOf(query: ValidSearchQuery, signal: AbortSignal): Promise<SearchContext> {
    const { path, kind, filter, sort, explain, top_k: limit } = query;
    if (explain && limit > maxExplainedHits) {
      throw new TroveError(
        'validation_error',
        `top_k: must be <= ${maxExplainedHits} with explain`,
      );
    }
    const scopeOfPath: Omit<IndexScope, 'filter'> = {
      ...(path === undefined ? {} : { sourcePrefix: await this.#sourcePrefix(path) }),
      ...(kind === undefined ? {} : { kinds: parseKinds(kind) }),
    };
    const fieldFilter = filter === undefined ? null : parseFilter(filter);
    const pathFilter = await this.#pathFilter(query, scopeOfPath.sourcePrefix);
    const times = timeCondition(query, Date.now());
    const conditions = [fieldFilter, times, pathFilter?.condition ?? null].filter(
      (each) => each !== null,
    );
    const scope: IndexScope = {
      ...scopeOfPath,
      ...(conditions.length === 0 ? {} : { filter: { op: 'and', filters: conditions } }),
    };
    return {
      query,
      scope,
      filter: fieldFilter,
      isSelected: pathFilter?.matches ?? null,
      ranker: sort === 'modified' ? modifiedRanker : this.#ranker,
      explanations: explain ? new HitExplanations(this.#scorer) : null,
      signal,
    };
  }

  /**
   * Finds the hits of the query after spelling correction. Words in the first hits need no lookup. Model vectors do
   * not depend on known words and are computed once.
   */
  async #findCorrected(
    context: SearchContext,
  ): Promise<{ corrected: SpelledQuery; hits: ResultEnvelope[] }> {
    const { q, mode } = context.query;
    const uncorrected = unchangedQuery(q);
    // Semantic search works without known words.
    const isChecked = mode !== 'semantic';
    const isSearchedFirst = !isChecked || this.#embedding.facts.nature === 'lexical';
    const first = isSearchedFirst
      ? await this.#find(uncorrected, context, { isReturning: false })
      : null;
    const shown = first?.map(({ content }) => content) ?? [];
    const unverified = isChecked ? this.#spelling.unverifiedWords(q, shown) : [];
    const corrected =
      unverified.length === 0
        ? uncorrected
        : await this.#gate.run(
            context.signal,
            () => this.#spelling.correct(q, unverified, context),
            {
              isReturning: isSearchedFirst,
            },
          );
    const isAnswered = first !== null && corrected.forms.size + corrected.corrections.length === 0;
    if (isAnswered) return { corrected, hits: first };
    const isReturning = isSearchedFirst || unverified.length > 0;
    return { corrected, hits: await this.#find(corrected, context, { isReturning }) };
  }

  /** Finds one page. `isReturning`: an earlier step of this search already had a slot of the gate. */
  async #find(
    corrected: SpelledQuery,
    context: SearchContext,
    gateOptions: { readonly isReturning: boolean },
  ): Promise<ResultEnvelope[]> {
    const { scope, filter, ranker, signal } = context;
    const { top_k: limit, offset } = context.query;
    const parts = await this.#parts(scope.sourcePrefix);
    const text = await this.#names.reduceToName(corrected.text, (lookUp) =>
      this.#gate.run(signal, lookUp, gateOptions),
    );
    const isOwn = ({ generation }: GenerationPart): boolean => generation === this.#generations.own;
    const ownPlan = await this.#planOwn(text, parts.some(isOwn), context);
    const range = rangeForRanker(ranker, { offset, limit });
    const findAll = async (): Promise<ResultEnvelope[][]> => {
      if (filter !== null) await this.#fields.check(filter);
      signal.throwIfAborted();
      const search: PartSearch = {
        corrected,
        text,
        words: queryTerms(text),
        loading: await this.#largeJobs.running(),
        forms: mergeForms(await this.#forms.of(text), corrected.forms),
        // With several lists, any one may contain the whole page.
        page: parts.length > 1 ? { offset: 0, limit: range.offset + range.limit } : range,
        isAlive: createLivenessCheck(this.#sources),
        scorer: this.#scorer,
      };
      return Promise.all(
        parts.map((part) => findInPart(part, isOwn(part) ? ownPlan : keywordPlan, search, context)),
      );
    };
    const lists = await this.#gate.run(signal, findAll, gateOptions);
    const [only = []] = lists;
    return lists.length > 1 ? mergeHits(lists, range) : only;
  }

  /** Plans the search of the own generation. Embeds the text only if that generation is searched by vectors. */
  async #planOwn(
    text: string,
    isSearched: boolean,
    { query: { mode }, signal }: SearchContext,
  ): Promise<RetrievalPlan> {
    const { nature } = this.#embedding.facts;
    const trainedState = await this.#trainedEmbedder.recent();
    const weight = denseWeight(text, { nature, isTrained: trainedState !== null });
    const vector =
      mode === 'keyword' || !isSearched
        ? undefined
        : await this.#embedding.embedQuery(text, { signal, trainedState });
    return { mode, nature, weight, vector };
  }

  async #parts(prefix: string | undefined): Promise<GenerationPart[]> {
    const active = await this.#generations.active();
    const isSingle = active.generations.length === 1;
    const sources = isSingle ? [] : await this.#sources.listParts();
    return partsOf(
      active,
      sources.map(({ record }) => record),
      prefix,
    );
  }

  /** Returns a filter for paths, relative to the requested path or to the sources. Null accepts all. */
  async #pathFilter(
    query: PathFilterRequest,
    prefix: string | undefined,
  ): Promise<{ matches: (source: string) => boolean; condition: Filter | null } | null> {
    const lists = toGlobLists(query);
    if (lists.length === 0) return null;
    const roots =
      prefix === undefined ? (await this.#sources.listParts()).map(uriOfPart) : [prefix];
    const matchesPath = compilePathFilter(lists);
    const matches = (source: string): boolean =>
      roots.some((root) => {
        const path = relativePath(root, source);
        return path !== null && matchesPath(path === '' ? nameOf(source) : path);
      });
    return { matches, condition: toPathCondition(lists) };
  }

  async #sourcePrefix(path: string): Promise<string> {
    const uri = await this.#sources.findUri(path);
    const indexedUri = await this.#sources.findIndexedUri(uri);
    if (indexedUri !== null) return indexedUri;
    throw new TroveError('not_found', `No registered source contains ${uri}`, {
      suggestions: ['Add it or a folder that contains it.', 'Omit the path to search all sources.'],
    });
  }
}

function nameOf(uri: string): string {
  const { path } = parseUri(uri);
  return path.slice(path.lastIndexOf('/') + 1);
}

type ValidSearchQuery = Infer<typeof searchQuerySchema>;
/** The part of a search that is the same for all generations. */
interface PartSearch extends Pick<HitQuery, 'isAlive'> {
  readonly corrected: SpelledQuery;
  /** The corrected query, or the name that it asks for. */
  readonly text: string;
  readonly words: ReturnType<typeof queryTerms>;
  readonly forms: FormsByTerm;
  /** Ids of the large jobs that are running. */
  readonly loading: readonly string[];
  readonly page: Pick<HitQuery, 'offset' | 'limit'>;
  readonly scorer: HitScorer;
}

/** Finds the hits of one generation. */
async function findInPart(
  { generation: { collection }, contains }: GenerationPart,
  plan: RetrievalPlan,
  search: PartSearch,
  context: SearchContext,
): Promise<ResultEnvelope[]> {
  const { corrected, words, forms, loading, page, isAlive, scorer } = search;
  const { query, scope, isSelected, explanations, signal } = context;
  const terms = [...words.terms, ...words.names, ...[...forms.values()].flat()];
  const arms = armsOf(plan, { terms, pairs: words.pairs });
  const ranking = rankingOf(plan);
  const reasons = query.demote ? requestedReasons(corrected.text, words.terms) : null;
  const explainer = explanations?.ofSearch(
    plan,
    {
      collection,
      words: searchedWords(search.text, forms, corrected.corrections),
      names: words.names,
      scope,
      loading,
      signal,
    },
    ({ row }) => demotionFactor(row.fields[demotedReasonField], reasons),
  );
  const found = await findHits(collection, {
    ...ranking,
    rank: explainer?.record(ranking.rank) ?? ranking.rank,
    query: { ...scope, ...arms, pairWeight, loading, signal },
    ...page,
    collapse: query.collapse,
    isSelected: combinePredicates(isSelected, contains),
    isAlive,
    requestedReasons: reasons,
  });
  const relevance = { terms: words.terms, forms, denseWeight: relevanceWeight(plan) };
  const scoreOf = scorer.scoresOf(found, relevance, page.offset);
  return found.page.map((hit, at) => {
    const scores = scoreOf(hit, at);
    const envelope = toEnvelope(hit, scores, words.names);
    return explainer === undefined
      ? envelope
      : { ...envelope, explanation: explainer.explain(hit, scores) };
  });
}

type SourcePredicate = ((source: string) => boolean) | null;

function combinePredicates(one: SourcePredicate, other: SourcePredicate): SourcePredicate {
  if (one === null || other === null) return one ?? other;
  return (source) => one(source) && other(source);
}

function parseKinds(text: string): string[] {
  const kinds = text.split(',').map((kind) => kind.trim());
  const known: readonly string[] = chunkKinds;
  if (kinds.some((kind) => !known.includes(kind))) {
    throw new TroveError(
      'validation_error',
      `kind: must be a comma-separated list of ${known.join(', ')}`,
    );
  }
  return kinds;
}
