import type { FieldValue } from '@trove/core';
import {
  demotedReasonField,
  type Collection,
  type IndexCandidates,
  type IndexHit,
  type IndexQuery,
  type RowIdentity,
} from '@trove/core/index';
import type { DemotedReason } from '../../api/schemas.js';
import type { RankedCandidate } from './fusion.js';
import { demotionFactor, capRelativeScores, demoteHits } from './hit-demotion.js';
import { isShort, diversify } from './diversification.js';
import {
  collapseBySource,
  hasCopies,
  preferLiveCopy,
  otherSources,
  deduplicate,
  type DistinctHit,
} from './deduplication.js';
import type { LivenessCheck } from './liveness.js';

/** Maximum number of hits examined to find enough distinct ones. */
const maxCandidates = 100_000;
/** How many candidates the pages are made of that come first, and how many times as many those after them. */
const firstStepCandidates = 100;
const stepGrowth = 4;
/** Initial candidates per requested result when only the best chunk of each object counts. */
const candidatesPerObject = 4;
/** The same when all chunks count, since some may be copies. */
const candidatesPerChunk = 2;
/**
 * Hits beyond the first page that are read with it, as some may be copies, and how many when others may still take the place
 * of those that make room or rank below equals.
 */
const lookaheads = [5, 20] as const;
/** The same where only the best chunk of each object counts: the others are passed over. */
const lookaheadsPerObject = [15, 50] as const;

/** What to ask of the index, and which part of the answer to return. */
export interface HitQuery {
  readonly query: Omit<IndexQuery, 'candidates'>;
  /** Best first. */
  readonly rank: (candidates: IndexCandidates, wanted: number) => readonly RankedCandidate[];
  /** Minimum number of candidates for the ranking, however few results are requested. */
  readonly minCandidates: number;
  /** Whether only candidates of the sparse arm count, once it has returned all it has. */
  readonly needsWords: boolean;
  readonly offset: number;
  readonly limit: number;
  /** Only the best chunk of each object. */
  readonly collapse: boolean;
  /** Which objects are wanted, by their URIs; null for all. */
  readonly isSelected: ((source: string) => boolean) | null;
  /** Why hits do not rank below equals, though they have a reason to; null: nothing ranks below equals. */
  readonly requestedReasons: ReadonlySet<DemotedReason> | null;
  /** Which of several copies may lead. */
  readonly isAlive: LivenessCheck;
}

/** A ranked candidate and what was read of its row. */
export interface RankedRow<Row> {
  readonly rank: RankedCandidate;
  readonly row: Row;
}

export interface SearchHit extends RankedRow<IndexHit> {
  /** Other objects among the candidates with the same text. */
  readonly also: readonly string[];
}

export interface HitPage {
  /**
   * One page, best first, equal scores by path and position; hits with the same text in several objects are merged, and
   * the first ten spread over objects. Rows removed between search and reading are omitted.
   */
  readonly page: readonly SearchHit[];
  /** The best hit overall, on the page or not. */
  readonly best: SearchHit | null;
}

/** What of a collection is asked. */
export type Searchable = Pick<Collection, 'search' | 'identify' | 'fetch'>;

export async function findHits(collection: Searchable, question: HitQuery): Promise<HitPage> {
  const { offset, limit, collapse, isSelected: chooses } = question;
  const isFirst = offset === 0 && limit <= maxHitsOfStep(firstStepCandidates, collapse);
  if (!isFirst || chooses !== null) return findAnyPage(collection, question, null);
  const least = collapse ? limit * candidatesPerObject : limit + lookaheads[0];
  const candidates = Math.max(question.minCandidates, least);
  const searched = { candidates, found: await searchCandidates(collection, question, candidates) };
  return (
    (await findFirstPage(collection, question, searched)) ??
    findAnyPage(collection, question, searched)
  );
}

interface SearchedCandidates {
  readonly candidates: number;
  readonly found: IndexCandidates;
}

async function searchCandidates(
  collection: Searchable,
  { query }: HitQuery,
  candidates: number,
): Promise<IndexCandidates> {
  const found = await collection.search({ ...query, candidates });
  query.signal.throwIfAborted();
  return found;
}

/**
 * The best chunks, or those of each object, in the fewest steps; null if there are copies among them, one is gone, or what was
 * not read might rank above some of them.
 */
async function findFirstPage(
  collection: Searchable,
  question: HitQuery,
  searched: SearchedCandidates,
): Promise<HitPage | null> {
  const { query, rank, limit, collapse, requestedReasons: wanted } = question;
  const ranked = rank(searched.found, searched.candidates);
  const unfound = isExhausted(question, searched) ? -Infinity : (ranked.at(-1)?.score ?? Infinity);
  const hits: RankedRow<IndexHit>[] = [];
  for (const lookahead of collapse ? lookaheadsPerObject : lookaheads) {
    const some = ranked.slice(hits.length, limit + lookahead);
    hits.push(...(await readRows(some, (keys) => collection.fetch(keys))));
    query.signal.throwIfAborted();
    const read = Math.min(ranked.length, limit + lookahead);
    const all = orderHits(hits, wanted, demotedReasonOf);
    const counting = collapse ? collapseBySource(all) : all;
    if (hits.length < read || hasCopies(counting.map(({ row }) => row))) return null;
    const next = ranked[read]?.score ?? unfound;
    const settled = counting.filter(({ rank: { score } }) => score > next);
    const placed = diversify(settled);
    if (next > -Infinity && (settled.length < limit || isShort(placed, limit))) continue;
    const page = [...placed.first, ...placed.rest]
      .slice(0, limit)
      .map((hit) => ({ ...hit, also: [] }));
    return { page, best: page[0] ?? null };
  }
  return null;
}

function demotedReasonOf(row: IndexHit): FieldValue | undefined {
  return row.fields[demotedReasonField];
}

/**
 * Any page. More candidates put some hits in another order, so each step leaves those in their places that come from the steps before
 * it: no two pages have a hit in common, nor miss one between them.
 */
async function findAnyPage(
  collection: Searchable,
  question: HitQuery,
  searched: SearchedCandidates | null,
): Promise<HitPage> {
  const {
    query,
    rank,
    offset,
    limit,
    collapse,
    isSelected: chooses,
    requestedReasons: wanted,
  } = question;
  const end = offset + limit;
  let placed: readonly DistinctHit[] = [];
  for (
    let candidates = firstStepCandidates;
    ;
    candidates = Math.min(stepGrowth * candidates, maxCandidates)
  ) {
    const found =
      searched?.candidates === candidates
        ? searched.found
        : await searchCandidates(collection, question, candidates);
    const candidateRows = await identify(collection, rank(found, candidates));
    const all = orderHits(candidateRows, wanted, ({ demotedReason }) => demotedReason);
    const rows = chooses === null ? all : all.filter(({ row }) => chooses(row.source));
    query.signal.throwIfAborted();
    const { first, rest } = diversify(deduplicate(collapse ? collapseBySource(rows) : rows));
    placed = [...placed, ...excludePlaced([...first, ...rest], placed, { collapse })];
    const isAll = isExhausted(question, { candidates, found }) || candidates >= maxCandidates;
    const most = maxHitsOfStep(candidates, collapse);
    if (isAll || end <= Math.min(most, placed.length))
      return readPage(collection, question, placed.slice(offset, end), placed[0]);
    placed = placed.slice(0, most);
  }
}

/** How many hits have their places with so many candidates. */
function maxHitsOfStep(candidates: number, collapse: boolean): number {
  return candidates / (collapse ? candidatesPerObject : candidatesPerChunk);
}

/** Those that have no place yet: neither their texts, as often as they are there, nor, if only one of each counts, their sources. */
function excludePlaced(
  hits: readonly DistinctHit[],
  placed: readonly DistinctHit[],
  { collapse }: { readonly collapse: boolean },
): DistinctHit[] {
  const sources = new Set(collapse ? placed.map(({ row }) => row.source) : []);
  const times = new Map<string, number>();
  for (const { row } of placed) times.set(row.digest, (times.get(row.digest) ?? 0) + 1);
  return hits.filter(({ row }) => {
    const left = times.get(row.digest) ?? 0;
    if (left > 0) times.set(row.digest, left - 1);
    return left === 0 && !sources.has(row.source);
  });
}

/** Whether no arm has more candidates than these. */
function isExhausted({ needsWords }: HitQuery, { candidates, found }: SearchedCandidates): boolean {
  return found.sparse.length < candidates && (needsWords || found.dense.length < candidates);
}

/** The identities of candidates. Missing rows keep their place, so that no page loses a hit to another. */
async function identify(
  collection: Searchable,
  ranked: readonly RankedCandidate[],
): Promise<RankedRow<RowIdentity>[]> {
  const identities = await collection.identify(ranked.map(({ key }) => key));
  return ranked.map((rank, at) => {
    const gone = {
      id: '',
      group: rank.key,
      source: rank.key,
      ordinal: 0,
      demotedReason: null,
      digest: `gone ${rank.key}`,
    };
    return { rank, row: identities[at] ?? gone };
  });
}

async function readPage(
  collection: Searchable,
  { isAlive }: Pick<HitQuery, 'isAlive'>,
  page: readonly DistinctHit[],
  best: DistinctHit | undefined,
): Promise<HitPage> {
  const isOnPage = best === undefined || page[0] === best;
  const wanted = await Promise.all(
    (isOnPage ? page : [best, ...page]).map((hit) => preferLiveCopy(hit, isAlive)),
  );
  const also = new Map(wanted.map((hit) => [hit.rank.key, otherSources(hit)]));
  const rows = await readRows(
    wanted.map(({ rank }) => rank),
    (keys) => collection.fetch(keys),
  );
  const hits = rows.map((hit) => ({ ...hit, also: also.get(hit.rank.key) ?? [] }));
  const first = hits[0] ?? null;
  const isBestThere = first?.rank.key === wanted[0]?.rank.key;
  return { page: isOnPage || !isBestThere ? hits : hits.slice(1), best: first };
}

async function readRows<Row>(
  ranked: readonly RankedCandidate[],
  read: (keys: readonly string[]) => Promise<readonly (Row | null)[]>,
): Promise<RankedRow<Row>[]> {
  const rows = await read(ranked.map(({ key }) => key));
  return ranked.flatMap((rank, at) => {
    const row = rows[at] ?? null;
    return row === null ? [] : [{ rank, row }];
  });
}

/** In order, with those that rank below equals in their places. */
function orderHits<Row extends Pick<IndexHit, 'id' | 'source' | 'ordinal'>>(
  rows: readonly RankedRow<Row>[],
  wanted: HitQuery['requestedReasons'],
  demotedReason: (row: Row) => FieldValue | undefined,
): RankedRow<Row>[] {
  const kept = (row: Row): number =>
    wanted === null ? 1 : demotionFactor(demotedReason(row), wanted);
  if (rows.every(({ row }) => kept(row) === 1)) return sortHits(rows);
  return capRelativeScores(sortHits(demoteHits(rows, kept)));
}

/** Best first, equal scores by path and position. */
function sortHits<Row extends Pick<IndexHit, 'id' | 'source' | 'ordinal'>>(
  rows: readonly RankedRow<Row>[],
): RankedRow<Row>[] {
  return rows.toSorted(
    ({ rank: a, row: one }, { rank: b, row: other }) =>
      b.score - a.score ||
      byText(one.source, other.source) ||
      one.ordinal - other.ordinal ||
      byText(one.id, other.id),
  );
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
