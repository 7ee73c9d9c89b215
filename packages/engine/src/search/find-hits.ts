import type { Collection, IndexCandidates, IndexHit, IndexQuery, RowIdentity } from '@trove/core';
import type { Ranked } from './fusion.js';

/** Hits that are looked at to find enough objects to collapse to. */
const candidatesAtMost = 100_000;
/** Candidates for each wanted result, to begin with, when only the best chunk of each object counts. */
const candidatesPerObject = 4;

/** What is asked of the index, and which part of the answer is wanted. */
export interface Question {
  readonly query: Omit<IndexQuery, 'candidates'>;
  /** Best first. */
  readonly rank: (candidates: IndexCandidates, wanted: number) => readonly Ranked[];
  /** Candidates that the ranking needs, whatever number is wanted. */
  readonly minCandidates: number;
  readonly offset: number;
  readonly limit: number;
  /** Only the best chunk of each object. */
  readonly collapse: boolean;
}

/** A ranked candidate with what was read of its row. */
export interface RankedRow<Row> {
  readonly rank: Ranked;
  readonly row: Row;
}

export type FoundHit = RankedRow<IndexHit>;

export interface FoundHits {
  /** One page, best first, equal scores by id. What is removed between search and reading is left out. */
  readonly page: readonly FoundHit[];
  /** The best hit of all, be it on the page or not. */
  readonly best: FoundHit | null;
}

export function findHits(collection: Collection, question: Question): Promise<FoundHits> {
  return question.collapse ? findObjects(collection, question) : findChunks(collection, question);
}

async function findChunks(collection: Collection, question: Question): Promise<FoundHits> {
  const { query, rank, minCandidates, offset, limit } = question;
  const candidates = Math.max(minCandidates, offset + limit);
  const ranked = rank(await collection.search({ ...query, candidates }), candidates);
  query.signal.throwIfAborted();
  const page = await pageOf(collection, ranked, offset, offset + limit);
  query.signal.throwIfAborted();
  return readPage(collection, page, ranked[0]);
}

/** Part of a ranking. Where it would cut through equal scores, their ids, in order, say which are in it. */
async function pageOf(
  collection: Collection,
  ranked: readonly Ranked[],
  start: number,
  end: number,
): Promise<readonly Ranked[]> {
  const page = ranked.slice(start, end);
  const [first, last] = [page[0]?.score, page.at(-1)?.score];
  const earlier = ranked.slice(0, start).filter(({ score }) => score === first);
  const later = ranked.slice(end).filter(({ score }) => score === last);
  if (earlier.length + later.length === 0) return page;
  const tied = [...earlier, ...page, ...later];
  const identities = await collection.identify(tied.map(({ key }) => key));
  // What is gone by now keeps its place, so that no page loses a hit to another.
  return inOrder(tied.map((rank, at) => ({ rank, row: { id: identities[at]?.id ?? '' } })))
    .slice(earlier.length, earlier.length + page.length)
    .map(({ rank }) => rank);
}

async function findObjects(collection: Collection, question: Question): Promise<FoundHits> {
  const { query, rank, minCandidates, offset, limit } = question;
  const end = offset + limit;
  let candidates = Math.max(minCandidates, end * candidatesPerObject);
  for (;;) {
    const found = await collection.search({ ...query, candidates });
    query.signal.throwIfAborted();
    const identified = await readIdentities(collection, rank(found, candidates));
    query.signal.throwIfAborted();
    const best = firstOfEachGroup(inOrder(identified)).map((row) => row.rank);
    const exhausted = found.dense.length < candidates && found.sparse.length < candidates;
    if (best.length >= end || exhausted || candidates >= candidatesAtMost) {
      return readPage(collection, best.slice(offset, end), best[0]);
    }
    candidates = Math.min(4 * candidates, candidatesAtMost);
  }
}

async function readPage(
  collection: Collection,
  page: readonly Ranked[],
  best: Ranked | undefined,
): Promise<FoundHits> {
  const isOnPage = page.some(({ score }) => score === best?.score);
  const hits = await readHits(collection, best === undefined || isOnPage ? page : [best, ...page]);
  const ordered = inOrder(hits);
  const shown = new Set(page.map(({ key }) => key));
  return { page: ordered.filter(({ rank }) => shown.has(rank.key)), best: ordered[0] ?? null };
}

async function readIdentities(
  collection: Collection,
  ranked: readonly Ranked[],
): Promise<RankedRow<RowIdentity>[]> {
  return withRows(ranked, await collection.identify(ranked.map(({ key }) => key)));
}

async function readHits(collection: Collection, ranked: readonly Ranked[]): Promise<FoundHit[]> {
  return withRows(ranked, await collection.fetch(ranked.map(({ key }) => key)));
}

function withRows<Row>(ranked: readonly Ranked[], rows: readonly (Row | null)[]): RankedRow<Row>[] {
  return ranked.flatMap((rank, at) => {
    const row = rows[at] ?? null;
    return row === null ? [] : [{ rank, row }];
  });
}

/** Best first, equal scores by id. */
function inOrder<Row extends { readonly id: string }>(
  rows: readonly RankedRow<Row>[],
): RankedRow<Row>[] {
  return [...rows].sort((a, b) => b.rank.score - a.rank.score || (a.row.id < b.row.id ? -1 : 1));
}

function firstOfEachGroup(rows: readonly RankedRow<RowIdentity>[]): RankedRow<RowIdentity>[] {
  const seen = new Set<string>();
  return rows.filter(({ row: { group } }) => !seen.has(group) && seen.add(group));
}
