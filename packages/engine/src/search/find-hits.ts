import {
  setBackField,
  type Collection,
  type IndexCandidates,
  type IndexHit,
  type IndexQuery,
  type RowIdentity,
} from '@trove/core';
import type { SetBackReason } from '../api/schemas.js';
import type { Ranked } from './fusion.js';
import { isSetBack, withFallingShares, withStanding } from './standing.js';
import { isShort, spread, spreadOver } from './spread.js';
import { firstOfEachSource, hasCopies, withoutCopies, type Distinct } from './copies.js';

/** Maximum number of hits examined to find enough distinct ones. */
const candidatesAtMost = 100_000;
/** Initial candidates per requested result when only the best chunk of each object counts. */
const candidatesPerObject = 4;
/** The same when all chunks count, since some may be copies. */
const candidatesPerChunk = 2;
/** Hits beyond the first page that are checked for copies of those on it. */
const lookahead = 5;

/** What to ask of the index, and which part of the answer to return. */
export interface Question {
  readonly query: Omit<IndexQuery, 'candidates'>;
  /** Best first. */
  readonly rank: (candidates: IndexCandidates, wanted: number) => readonly Ranked[];
  /** Minimum number of candidates for the ranking, however few results are requested. */
  readonly minCandidates: number;
  /** Whether only candidates of the sparse arm count, once it has returned all it has. */
  readonly needsWords: boolean;
  readonly offset: number;
  readonly limit: number;
  /** Only the best chunk of each object. */
  readonly collapse: boolean;
  /** Which objects are wanted, by their URIs; null for all. */
  readonly chooses: ((source: string) => boolean) | null;
  /** Why hits do not rank below equals, though they have a reason to; null: nothing ranks below equals. */
  readonly wanted: ReadonlySet<SetBackReason> | null;
}

/** A ranked candidate and what was read of its row. */
export interface RankedRow<Row> {
  readonly rank: Ranked;
  readonly row: Row;
}

export interface FoundHit extends RankedRow<IndexHit> {
  /** Other objects among the candidates with the same text. */
  readonly also: readonly string[];
}

export interface FoundHits {
  /**
   * One page, best first, equal scores by path and position; hits with the same text in several objects are merged, and
   * the first ten spread over objects. Rows removed between search and reading are omitted.
   */
  readonly page: readonly FoundHit[];
  /** The best hit overall, on the page or not. */
  readonly best: FoundHit | null;
}

export async function findHits(collection: Collection, question: Question): Promise<FoundHits> {
  const { offset, limit, collapse, chooses } = question;
  const isSimple = offset === 0 && !collapse && chooses === null;
  if (!isSimple) return anyPage(collection, question, null);
  const candidates = Math.max(question.minCandidates, limit + lookahead);
  const searched = { candidates, found: await searchFor(collection, question, candidates) };
  return (
    (await firstPage(collection, question, searched)) ?? anyPage(collection, question, searched)
  );
}

interface Searched {
  readonly candidates: number;
  readonly found: IndexCandidates;
}

async function searchFor(
  collection: Collection,
  { query }: Question,
  candidates: number,
): Promise<IndexCandidates> {
  const found = await collection.search({ ...query, candidates });
  query.signal.throwIfAborted();
  return found;
}

/**
 * The best chunks in the fewest steps; null if there are copies among them, too many are of one object, or one is gone.
 */
async function firstPage(
  collection: Collection,
  { query, rank, limit, wanted: wantedReasons }: Question,
  { candidates, found }: Searched,
): Promise<FoundHits | null> {
  const wanted = limit + lookahead;
  const ranked = rank(found, candidates);
  const best = await bestOf(collection, ranked, wanted);
  query.signal.throwIfAborted();
  const hits = inOrder(await readRows(best, (keys) => collection.fetch(keys)));
  if (hits.length < best.length || hasCopies(hits.map(({ row }) => row))) return null;
  if (
    wantedReasons !== null &&
    hits.some(({ row }) => isSetBack(row.fields[setBackField], wantedReasons))
  )
    return null;
  const placed = spread(hits);
  if (ranked.length >= wanted && isShort(placed, limit)) return null;
  const page = [...placed.first, ...placed.rest]
    .slice(0, limit)
    .map((hit) => ({ ...hit, also: [] }));
  return { page, best: page[0] ?? null };
}

/** The top of a ranking. If the cut would fall between equal scores, their places decide. */
async function bestOf(
  collection: Collection,
  ranked: readonly Ranked[],
  wanted: number,
): Promise<readonly Ranked[]> {
  const first = ranked.slice(0, wanted);
  const last = first.at(-1)?.score;
  const later = ranked.slice(wanted).filter(({ score }) => score === last);
  if (later.length === 0) return first;
  return inOrder(await identified(collection, [...first, ...later]))
    .slice(0, wanted)
    .map(({ rank }) => rank);
}

async function anyPage(
  collection: Collection,
  question: Question,
  searched: Searched | null,
): Promise<FoundHits> {
  const { query, rank, minCandidates, needsWords, offset, limit, collapse, chooses, wanted } =
    question;
  const end = offset + limit;
  const perHit = collapse ? candidatesPerObject : candidatesPerChunk;
  let candidates = Math.max(minCandidates, end * perHit, collapse ? 0 : spreadOver);
  for (;;) {
    const found =
      searched?.candidates === candidates
        ? searched.found
        : await searchFor(collection, question, candidates);
    const all = ordered(await identified(collection, rank(found, candidates)), wanted);
    const rows = chooses === null ? all : all.filter(({ row }) => chooses(row.source));
    query.signal.throwIfAborted();
    const distinct = withoutCopies(collapse ? firstOfEachSource(rows) : rows);
    const exhausted =
      found.sparse.length < candidates && (needsWords || found.dense.length < candidates);
    if (distinct.length >= end || exhausted || candidates >= candidatesAtMost) {
      const { first, rest } = spread(distinct);
      return readPage(collection, [...first, ...rest].slice(offset, end), distinct[0]);
    }
    candidates = Math.min(4 * candidates, candidatesAtMost);
  }
}

/** The identities of candidates. Missing rows keep their place, so that no page loses a hit to another. */
async function identified(
  collection: Collection,
  ranked: readonly Ranked[],
): Promise<RankedRow<RowIdentity>[]> {
  const identities = await collection.identify(ranked.map(({ key }) => key));
  return ranked.map((rank, at) => {
    const gone = {
      id: '',
      group: rank.key,
      source: rank.key,
      ordinal: 0,
      setBack: null,
      digest: `gone ${rank.key}`,
    };
    return { rank, row: identities[at] ?? gone };
  });
}

async function readPage(
  collection: Collection,
  page: readonly Distinct[],
  best: Distinct | undefined,
): Promise<FoundHits> {
  const isOnPage = best === undefined || page[0] === best;
  const wanted = isOnPage ? page : [best, ...page];
  const also = new Map(wanted.map(({ rank, also: others }) => [rank.key, others]));
  const rows = await readRows(
    wanted.map(({ rank }) => rank),
    (keys) => collection.fetch(keys),
  );
  const hits = rows.map((hit) => ({ ...hit, also: also.get(hit.rank.key) ?? [] }));
  const first = hits[0] ?? null;
  const isBestThere = first?.rank.key === best?.rank.key;
  return { page: isOnPage || !isBestThere ? hits : hits.slice(1), best: first };
}

async function readRows<Row>(
  ranked: readonly Ranked[],
  read: (keys: readonly string[]) => Promise<readonly (Row | null)[]>,
): Promise<RankedRow<Row>[]> {
  const rows = await read(ranked.map(({ key }) => key));
  return ranked.flatMap((rank, at) => {
    const row = rows[at] ?? null;
    return row === null ? [] : [{ rank, row }];
  });
}

/** In order, with those that rank below equals in their places. */
function ordered(
  rows: RankedRow<RowIdentity>[],
  wanted: Question['wanted'],
): RankedRow<RowIdentity>[] {
  if (wanted === null || !rows.some(({ row }) => isSetBack(row.setBack, wanted)))
    return inOrder(rows);
  return withFallingShares(inOrder(withStanding(rows, wanted)));
}

/** Best first, equal scores by path and position. */
function inOrder<Row extends Pick<IndexHit, 'id' | 'source' | 'ordinal'>>(
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
