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
import type { RankedCandidate, RankedRow } from './fusion.js';
import { demotionFactor, demoteHits } from './hit-demotion.js';
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
import { queryCost } from './query-cost.js';

const { candidates: candidateBounds, lookaheads, lookaheadsPerObject } = queryCost;

/** A query of the index, its ranking and the requested page. */
export interface HitQuery {
  readonly query: Omit<IndexQuery, 'candidates'>;
  /** Ranks candidates, best first. */
  readonly rank: (candidates: IndexCandidates, count: number) => readonly RankedCandidate[];
  /** Minimum number of candidates to rank, even for fewer requested hits. */
  readonly minCandidates: number;
  /** Whether only candidates of the sparse arm count, once it is complete. */
  readonly needsWords: boolean;
  readonly offset: number;
  readonly limit: number;
  /** Whether only the best chunk of each object counts. */
  readonly collapse: boolean;
  /** Accepts objects by URI; null accepts all. */
  readonly isSelected: ((source: string) => boolean) | null;
  /** Reasons that do not demote hits, because the query asks for such objects. Null: nothing is demoted. */
  readonly requestedReasons: ReadonlySet<DemotedReason> | null;
  /** Tells which copies still exist. */
  readonly isAlive: LivenessCheck;
}

export interface SearchHit extends RankedRow<IndexHit> {
  /** Sources of other candidates with the same text. */
  readonly also: readonly string[];
  /** Whether the hit follows hits with lower scores. Its own score is that of the hit before it. */
  readonly isMovedBack: boolean;
}

export interface HitPage {
  /**
   * One page, best first, with equal scores by path and position. Hits with the same text in several objects are
   * merged, and the first ten are diversified. Rows removed between search and reading are omitted.
   */
  readonly page: readonly SearchHit[];
  /** The best hit of all pages. */
  readonly best: SearchHit | null;
}

/** The part of a collection that searches use. */
export type Searchable = Pick<Collection, 'search' | 'identify' | 'fetch'>;

export async function findHits(collection: Searchable, hitQuery: HitQuery): Promise<HitPage> {
  const { offset, limit, collapse, isSelected } = hitQuery;
  const isFirstPage = offset === 0 && limit <= maxHitsOfStep(candidateBounds.firstStep, collapse);
  if (!isFirstPage || isSelected !== null) return findAnyPage(collection, hitQuery, null);
  const minimum = collapse ? limit * candidateBounds.perObject : limit + lookaheads[0];
  const candidates = Math.max(hitQuery.minCandidates, minimum);
  const searched = { candidates, found: await searchCandidates(collection, hitQuery, candidates) };
  return (
    (await findFirstPage(collection, hitQuery, searched)) ??
    findAnyPage(collection, hitQuery, searched)
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
 * Finds the first page in the fewest steps. Returns null if hits have copies, a row was removed, or an unread hit
 * might rank higher.
 */
async function findFirstPage(
  collection: Searchable,
  hitQuery: HitQuery,
  searched: SearchedCandidates,
): Promise<HitPage | null> {
  const { query, rank, limit, collapse, requestedReasons } = hitQuery;
  const ranked = rank(searched.found, searched.candidates);
  const lowestScore = isExhausted(hitQuery, searched)
    ? -Infinity
    : (ranked.at(-1)?.score ?? Infinity);
  const hits: RankedRow<IndexHit>[] = [];
  for (const lookahead of collapse ? lookaheadsPerObject : lookaheads) {
    const batch = ranked.slice(hits.length, limit + lookahead);
    hits.push(...(await readRows(batch, (keys) => collection.fetch(keys))));
    query.signal.throwIfAborted();
    const read = Math.min(ranked.length, limit + lookahead);
    const all = orderHits(hits, requestedReasons, demotedReasonOf);
    const distinctHits = collapse ? collapseBySource(all) : all;
    if (hits.length < read || hasCopies(distinctHits.map(({ row }) => row))) return null;
    const next = ranked[read]?.score ?? lowestScore;
    // Demotion can lower unread hits but not raise them, so hits above the next candidate keep their places.
    const stableHits = distinctHits.filter(({ rank: { score } }) => score > next);
    const placed = diversify(stableHits);
    if (next > -Infinity && (stableHits.length < limit || isShort(placed, limit))) continue;
    const page = capScores([...placed.first, ...placed.rest])
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
 * Finds any page. More candidates may change the order of hits, so each step keeps the places of hits from earlier
 * steps. Pages therefore neither repeat nor skip hits.
 */
async function findAnyPage(
  collection: Searchable,
  hitQuery: HitQuery,
  searched: SearchedCandidates | null,
): Promise<HitPage> {
  const { query, rank, offset, limit, collapse, isSelected, requestedReasons } = hitQuery;
  const end = offset + limit;
  let placed: readonly DistinctHit[] = [];
  for (
    let candidates: number = candidateBounds.firstStep;
    ;
    candidates = Math.min(candidateBounds.stepGrowth * candidates, candidateBounds.max)
  ) {
    const found =
      searched?.candidates === candidates
        ? searched.found
        : await searchCandidates(collection, hitQuery, candidates);
    const candidateRows = await identify(collection, rank(found, candidates));
    const all = orderHits(candidateRows, requestedReasons, ({ demotedReason }) => demotedReason);
    const rows = isSelected === null ? all : all.filter(({ row }) => isSelected(row.source));
    query.signal.throwIfAborted();
    const { first, rest } = diversify(deduplicate(collapse ? collapseBySource(rows) : rows));
    placed = [...placed, ...excludePlaced([...first, ...rest], placed, { collapse })];
    const isComplete =
      isExhausted(hitQuery, { candidates, found }) || candidates >= candidateBounds.max;
    const maxHits = maxHitsOfStep(candidates, collapse);
    if (isComplete || end <= Math.min(maxHits, placed.length)) {
      const capped = capScores(placed);
      return readPage(collection, hitQuery, capped.slice(offset, end), capped[0]);
    }
    placed = placed.slice(0, maxHits);
  }
}

/** Returns how many hits keep their places after a step with this many candidates. */
function maxHitsOfStep(candidates: number, collapse: boolean): number {
  return candidates / (collapse ? candidateBounds.perObject : candidateBounds.perChunk);
}

/** Returns the hits that have no place yet. Compares texts, counting repetitions, and with `collapse` also sources. */
function excludePlaced(
  hits: readonly DistinctHit[],
  placed: readonly DistinctHit[],
  { collapse }: { readonly collapse: boolean },
): DistinctHit[] {
  const sources = new Set(collapse ? placed.map(({ row }) => row.source) : []);
  const occurrences = new Map<string, number>();
  for (const { row } of placed) occurrences.set(row.digest, (occurrences.get(row.digest) ?? 0) + 1);
  return hits.filter(({ row }) => {
    const remaining = occurrences.get(row.digest) ?? 0;
    if (remaining > 0) occurrences.set(row.digest, remaining - 1);
    return remaining === 0 && !sources.has(row.source);
  });
}

/** Whether the arms have returned all their candidates. */
function isExhausted({ needsWords }: HitQuery, { candidates, found }: SearchedCandidates): boolean {
  return found.sparse.length < candidates && (needsWords || found.dense.length < candidates);
}

/** Reads the identities of candidates. Missing rows keep their place, so hits do not move between pages. */
async function identify(
  collection: Searchable,
  ranked: readonly RankedCandidate[],
): Promise<RankedRow<RowIdentity>[]> {
  const identities = await collection.identify(ranked.map(({ key }) => key));
  return ranked.map((rank, at) => {
    const missing = {
      id: '',
      group: rank.key,
      source: rank.key,
      ordinal: 0,
      demotedReason: null,
      digest: `gone ${rank.key}`,
    };
    return { rank, row: identities[at] ?? missing };
  });
}

type PlacedHit = DistinctHit & Pick<SearchHit, 'isMovedBack'>;

async function readPage(
  collection: Searchable,
  { isAlive }: Pick<HitQuery, 'isAlive'>,
  page: readonly PlacedHit[],
  best: PlacedHit | undefined,
): Promise<HitPage> {
  const isOnPage = best === undefined || page[0] === best;
  const selected = await Promise.all(
    (isOnPage ? page : [best, ...page]).map((hit) => preferLiveCopy(hit, isAlive)),
  );
  const details = new Map(
    selected.map((hit) => [
      hit.rank.key,
      { also: otherSources(hit), isMovedBack: hit.isMovedBack },
    ]),
  );
  const rows = await readRows(
    selected.map(({ rank }) => rank),
    (keys) => collection.fetch(keys),
  );
  const hits = rows.map((hit) => ({
    ...hit,
    ...(details.get(hit.rank.key) ?? { also: [], isMovedBack: false }),
  }));
  const first = hits[0] ?? null;
  const isBestRead = first?.rank.key === selected[0]?.rank.key;
  return { page: isOnPage || !isBestRead ? hits : hits.slice(1), best: first };
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

/** Caps each score at that of the hit before it, because diversification moves hits back. */
function capScores<Hit extends RankedRow<unknown>>(
  hits: readonly Hit[],
): (Hit & Pick<SearchHit, 'isMovedBack'>)[] {
  let cap = Infinity;
  return hits.map((hit) => {
    const isMovedBack = hit.rank.score > cap;
    if (!isMovedBack) cap = hit.rank.score;
    return { ...hit, isMovedBack, rank: { ...hit.rank, score: cap } };
  });
}

/** Sorts hits after demotion. */
function orderHits<Row extends Pick<IndexHit, 'id' | 'source' | 'ordinal'>>(
  rows: readonly RankedRow<Row>[],
  requestedReasons: HitQuery['requestedReasons'],
  demotedReason: (row: Row) => FieldValue | undefined,
): RankedRow<Row>[] {
  const factorOf = (row: Row): number => demotionFactor(demotedReason(row), requestedReasons);
  if (rows.every(({ row }) => factorOf(row) === 1)) return sortHits(rows);
  return sortHits(demoteHits(rows, factorOf));
}

/** Sorts best first, with equal scores by path and position. */
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
