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
  readonly rank: (candidates: IndexCandidates) => Ranked[];
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

/** One page of hits, best first, equal scores by id. What is removed between search and reading is left out. */
export function findHits(collection: Collection, question: Question): Promise<FoundHit[]> {
  return question.collapse ? findObjects(collection, question) : findChunks(collection, question);
}

async function findChunks(collection: Collection, question: Question): Promise<FoundHit[]> {
  const { query, rank, minCandidates, offset, limit } = question;
  const end = offset + limit;
  const candidates = Math.max(minCandidates, end);
  const ranked = rank(await collection.search({ ...query, candidates }));
  // Ids decide between equal scores: they are read together with the page, as few rows score the same.
  const [first, last] = [ranked[offset]?.score, ranked.slice(0, end).at(-1)?.score];
  const start = ranked.findIndex(({ score }) => score === first);
  if (start === -1) return [];
  const hits = await readHits(
    collection,
    ranked.filter(({ score }, at) => at >= start && (at < end || score === last)),
  );
  return inOrder(hits).slice(offset - start, end - start);
}

async function findObjects(collection: Collection, question: Question): Promise<FoundHit[]> {
  const { query, rank, minCandidates, offset, limit } = question;
  const end = offset + limit;
  let candidates = Math.max(minCandidates, end * candidatesPerObject);
  for (;;) {
    const found = await collection.search({ ...query, candidates });
    const identified = await readIdentities(collection, rank(found));
    const best = firstOfEachGroup(inOrder(identified)).map((row) => row.rank);
    const exhausted = found.dense.length < candidates && found.sparse.length < candidates;
    if (best.length >= end || exhausted || candidates >= candidatesAtMost) {
      return readHits(collection, best.slice(offset, end));
    }
    candidates = Math.min(4 * candidates, candidatesAtMost);
  }
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
