import type { Candidate, IndexQuery, SparseQuery } from '@trove/core/index';
import type { Row, PgSession } from './connections.js';
import { frequencyBits, lengthBits, maxFrequency, maxLength, storedWord } from './postings.js';
import type { CollectionTables } from './tables.js';
import { SqlParameters, whereOf } from './where.js';

/** BM25 parameters, the same in every index of Trove. */
const k1 = 1.2;
const b = 0.75;

/** The graph is accurate only for few candidates. For more, all vectors are compared. */
const graphCandidates = 400;

/** Returns rows ordered by the cosine of their vector and the given one. */
export async function denseCandidates(
  session: PgSession,
  tables: CollectionTables,
  query: IndexQuery,
  vector: Float32Array,
  hasGraph: boolean,
): Promise<Candidate[]> {
  if (hasGraph && query.candidates <= graphCandidates) {
    const found = await nearest(session, tables, query, vector, true);
    // Behind a filter, the graph may end before it has found enough.
    if (found.length >= query.candidates) return found;
  }
  return nearest(session, tables, query, vector, false);
}

async function nearest(
  session: PgSession,
  { chunks, vectors }: CollectionTables,
  query: IndexQuery,
  vector: Float32Array,
  byGraph: boolean,
): Promise<Candidate[]> {
  const parameters = new SqlParameters();
  const queryVector = parameters.add(`[${unit(vector).join(',')}]`, 'vector');
  const where = whereOf(query, parameters);
  const limit = parameters.add(query.candidates, 'integer');
  // Vectors have unit length, so the negative inner product ranks like the cosine.
  const distance = `v.vector <#> ${queryVector}::halfvec(${vector.length})`;
  const from = where === undefined ? '' : `join ${chunks} c using (number) where ${where}`;
  const ranked = `select number, v.id, -(${distance}) as score from ${vectors} v ${from}`;
  // PostgreSQL uses the graph only for an order by the distance itself.
  const candidates = byGraph ? `${ranked} order by ${distance} limit ${limit}` : ranked;
  const rows = await session.all(
    `select number, score from (${candidates}) as candidates order by score desc, id limit ${limit}`,
    parameters.values,
  );
  return rows.map(toCandidate);
}

/**
 * Returns rows ordered by BM25 of the terms plus the weighted BM25 of the pairs. The inverse document frequency counts
 * all rows regardless of the filter, so a filter changes no score. Removed rows do not count, even if their postings
 * still exist.
 */
export async function sparseCandidates(
  session: PgSession,
  { chunks, segments, postings, removed, totals }: CollectionTables,
  query: IndexQuery,
  { terms, pairs }: SparseQuery,
): Promise<Candidate[]> {
  if (terms.length === 0) return [];
  const words = [
    ...countWords(terms).map((word) => ({ field: 0, ...word })),
    ...countWords(query.pairWeight === 0 ? [] : pairs).map((word) => ({ field: 1, ...word })),
  ];
  const parameters = new SqlParameters();
  const fields = parameters.add(
    words.map(({ field }) => field),
    'smallint[]',
  );
  const queryWords = parameters.add(
    words.map(({ word }) => word),
    'text[]',
  );
  const times = parameters.add(
    words.map((word) => word.times),
    'integer[]',
  );
  const pairWeight = parameters.add(query.pairWeight, 'float8');
  const limit = parameters.add(query.candidates, 'integer');
  const where = whereOf(query, parameters);
  const number = `(entry >> ${frequencyBits + lengthBits})`;
  const frequency = `((entry >> ${lengthBits}) & ${maxFrequency})::float8`;
  const length = `(entry & ${maxLength})::float8`;
  const rows = await session.all(
    `with query_words as (
       select n, field, word, times
       from unnest(${fields}, ${queryWords}, ${times}) with ordinality as a (field, word, times, n)
     ), entries as materialized (
       select n, field, times, entry
       from ${segments} s cross join query_words
         join ${postings} p using (field, word), unnest(p.entries) as entry
       where p.segment = s.id and ${number} not in (select number from ${removed})
     ), averages as (
       select sum(rows)::float8 as rows, greatest(sum(terms)::float8 / sum(rows), 1e-9) as terms,
         greatest(sum(pairs)::float8 / sum(rows), 1e-9) as pairs
       from ${totals} having sum(rows) > 0
     ), weights as (
       select n,
         case field when 0 then 1 else ${pairWeight} end * times * ${float(k1 + 1)}
           * ln(1 + (averages.rows - count(*) + 0.5) / (count(*) + 0.5)) as weight,
         ${float(k1 * b)} / case field when 0 then averages.terms else averages.pairs end as slope
       from entries cross join averages
       group by n, field, times, averages.rows, averages.terms, averages.pairs
     ), scored as (
       select ${number} as number,
         sum(weight * ${frequency}
           / (${frequency} + ${float(k1 * (1 - b))} + slope * ${length}))::real as score
       from entries join weights using (n)
       group by 1 having min(field) = 0
     ), best as (
       ${where === undefined ? `select number, score from scored order by score desc fetch first (${limit}) rows with ties` : 'select number, score from scored'}
     )
     select number, score from best join ${chunks} c using (number)
     where ${where ?? 'true'} order by score desc, c.id limit ${limit}`,
    parameters.values,
  );
  return rows.map(toCandidate);
}

/** PostgreSQL computes many times slower with decimals. */
function float(value: number): string {
  return `${value}::float8`;
}

/** Counts how often each word occurs in the query. */
function countWords(words: readonly string[]): { word: string; times: number }[] {
  const times = new Map<string, number>();
  for (const word of words.map(storedWord)) times.set(word, (times.get(word) ?? 0) + 1);
  return [...times].map(([word, count]) => ({ word, times: count }));
}

/** The driver returns 64-bit numbers as text, which is also the form of a key. */
function toCandidate(row: Row): Candidate {
  return { key: String(row['number']), score: Number(row['score']) };
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
