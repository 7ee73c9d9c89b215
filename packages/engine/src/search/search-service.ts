import {
  type FieldValue,
  parseFilter,
  parseUri,
  relativePath,
  TroveError,
  type Collection,
  type Filter,
  type IndexCandidates,
  type IndexScope,
  type Infer,
} from '@trove/core';
import { choosesPath } from '@trove/core/glob';
import { queryTerms } from '@trove/core/text';
import type { EmbeddingService, Gate } from '@trove/runtime';
import {
  chunkKinds,
  type searchQuerySchema,
  type ResultEnvelope,
  type SearchResponse,
} from '../api/schemas.js';
import { globLists, type ChoiceRequest } from '../choice/path-choice.js';
import { likelyPaths } from '../choice/likely-paths.js';
import type { Connectors } from '../connectors/connectors.js';
import { fitOf } from './fit.js';
import { findHits, type FoundHit, type Question } from './find-hits.js';
import { KnownFields } from './known-fields.js';
import type { Ranker } from '../di/ranker.js';
import { pageRanked, pageToFind } from './rerank.js';
import {
  byDense,
  byDenseWithWords,
  bySparse,
  fuse,
  scaledOver,
  withWordsOnly,
  type Ranked,
} from './fusion.js';

/** Weight of the BM25 score of adjacent word pairs relative to that of the words. */
const pairWeight = 0.2;
/** The weight of the dense arm: lexical vectors see what BM25 sees, so they count less. */
const denseWeights = { lexical: 0.2, semantic: 0.5 } as const;

/** Answers search queries from the index. */
export class SearchService {
  readonly #collection: Collection;
  readonly #embedding: EmbeddingService;
  readonly #connectors: Connectors;
  readonly #gate: Gate;
  readonly #ranker: Ranker;
  readonly #fields: KnownFields;

  constructor(
    collection: Collection,
    embedding: EmbeddingService,
    connectors: Connectors,
    gate: Gate,
    ranker: Ranker,
  ) {
    this.#collection = collection;
    this.#embedding = embedding;
    this.#connectors = connectors;
    this.#gate = gate;
    this.#ranker = ranker;
    this.#fields = new KnownFields(collection);
  }

  async search(
    query: Infer<typeof searchQuerySchema>,
    signal: AbortSignal,
  ): Promise<SearchResponse> {
    const { q, path, mode, top_k: limit, offset, collapse, kind, filter } = query;
    const scope: Omit<IndexScope, 'filter'> = {
      ...(path === undefined ? {} : { sourcePrefix: await this.#prefix(path) }),
      ...(kind === undefined ? {} : { kinds: parseKinds(kind) }),
    };
    const asked = filter === undefined ? null : parseFilter(filter);
    const choice = await this.#choice(query, scope.sourcePrefix);
    const conditions = [asked, choice?.likely ?? null].filter((each) => each !== null);
    const vector = mode === 'keyword' ? undefined : await this.#embedding.query(q, signal);
    const { nature } = this.#embedding.facts;
    const words = queryTerms(q);
    // Lexical vectors know only words, so the words decide whether anything matches at all.
    const sparse = mode === 'semantic' && nature === 'semantic' ? undefined : words;
    const question: Question = {
      query: {
        ...scope,
        ...(conditions.length === 0 ? {} : { filter: { op: 'and', filters: conditions } }),
        ...(vector === undefined ? {} : { vector }),
        ...(sparse === undefined ? {} : { sparse }),
        pairWeight,
        signal,
      },
      rank: (found, wanted) => {
        // Lexical vectors are close to any other by chance.
        const knowsWords = nature === 'lexical' && found.sparse.length < wanted;
        return knowsWords ? this.#rankWithWords(mode, found) : this.#rank(mode, found);
      },
      needsWords: nature === 'lexical',
      minCandidates: mode === 'hybrid' ? scaledOver : 0,
      ...pageToFind(this.#ranker, { offset, limit }),
      collapse,
      chooses: choice?.chooses ?? null,
    };
    const { page, best } = await this.#gate.run(signal, async () => {
      if (asked !== null) await this.#fields.check(asked);
      signal.throwIfAborted();
      return findHits(this.#collection, question);
    });
    const measure = { terms: words.terms, denseWeight: fitWeight(mode, nature) };
    const scale = best === null ? 0 : fitOf(best.row, best.rank, measure) / best.rank.share;
    const found = page.map((hit) => envelope(hit, scale * hit.rank.share));
    const ranking = { q, mode, signal };
    return { results: await pageRanked(this.#ranker, { offset, limit }, found, ranking) };
  }

  #rank(mode: Mode, found: IndexCandidates): Ranked[] {
    if (mode === 'keyword') return bySparse(found);
    if (mode === 'semantic') return byDense(found);
    return fuse(found, denseWeights[this.#embedding.facts.nature]);
  }

  #rankWithWords(mode: Mode, found: IndexCandidates): Ranked[] {
    if (mode === 'semantic') return byDenseWithWords(found);
    return withWordsOnly(this.#rank(mode, found), found.sparse);
  }

  /** Which objects are wanted, by their paths below the path asked for or below their sources; null for all. */
  async #choice(
    query: ChoiceRequest,
    prefix: string | undefined,
  ): Promise<{ chooses: (source: string) => boolean; likely: Filter | null } | null> {
    const lists = globLists(query);
    if (lists.length === 0) return null;
    const roots = prefix === undefined ? await this.#connectors.roots() : [prefix];
    const isChosen = choosesPath(lists);
    const chooses = (source: string): boolean =>
      roots.some((root) => {
        const path = relativePath(root, source);
        return path !== null && isChosen(path === '' ? nameOf(source) : path);
      });
    return { chooses, likely: likelyPaths(lists) };
  }

  async #prefix(path: string): Promise<string> {
    const uri = await this.#connectors.canonical(path);
    if (!(await this.#connectors.holds(uri))) {
      throw new TroveError('not_found', `No registered source holds ${uri}`, {
        suggestions: [
          'Add it, or a folder that holds it, first.',
          'Search everywhere by leaving the path out.',
        ],
      });
    }
    return this.#connectors.indexedAs(uri);
  }
}

function nameOf(uri: string): string {
  const { path } = parseUri(uri);
  return path.slice(path.lastIndexOf('/') + 1);
}

type Mode = 'hybrid' | 'semantic' | 'keyword';

/** The weight of the vector in a hit's fit: lexical vectors say less than the words themselves. */
function fitWeight(mode: Mode, nature: 'lexical' | 'semantic'): number {
  if (mode === 'keyword' || nature === 'lexical') return 0;
  return mode === 'semantic' ? 1 : denseWeights.semantic;
}

/** `score`: how well it fits; NaN if even the best does not fit at all. */
function envelope({ rank, row: hit, also }: FoundHit, score: number): ResultEnvelope {
  return {
    source: hit.source,
    content: hit.content,
    score: score > 0 ? Math.min(1, score) : 0,
    locator: hit.locator === null ? null : { ...hit.locator },
    metadata: {
      chunk_kind: hit.kind,
      connector_type: hit.connectorType,
      media_type: hit.mediaType,
      title: hit.title,
      modified_at: dateOf(hit.modifiedAt),
      url: textOf(hit.fields['url']),
      author: textOf(hit.fields['author']),
      also: [...also],
      fields: { ...hit.fields },
      scores: { dense: rank.dense, sparse: rank.sparse, rerank: null },
    },
  };
}

function dateOf(modifiedAt: number | null): string | null {
  if (modifiedAt === null) return null;
  const date = new Date(modifiedAt);
  // Milliseconds outside the range of dates.
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Of a thread, there may be several. */
function textOf(field: FieldValue | undefined): string | null {
  if (Array.isArray(field)) return field.join(', ');
  return typeof field === 'string' ? field : null;
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
