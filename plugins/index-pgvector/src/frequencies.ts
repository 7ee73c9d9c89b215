import type { FrequencyQuery } from '@trove/core/index';
import { frequencyBits, lengthBits, storedWord } from './postings.js';
import type { PgSession } from './connections.js';
import type { CollectionTables } from './tables.js';
import { SqlParameters, whereOf } from './where.js';

/** Returns the terms that occur in rows of the scope, each with its number of rows up to `maxCount`. */
export async function frequenciesOf(
  session: PgSession,
  { chunks, segments, postings, removed }: CollectionTables,
  terms: readonly string[],
  query: FrequencyQuery,
): Promise<Map<string, number>> {
  const parameters = new SqlParameters();
  const asked = parameters.add(terms.map(storedWord), 'text[]');
  const atMost = parameters.add(query.maxCount, 'integer');
  const where = whereOf(query, parameters);
  const number = `(entry >> ${frequencyBits + lengthBits})`;
  const within = where === undefined ? '' : `join ${chunks} c on c.number = ${number}`;
  const rows = await session.all(
    `select place, count from unnest(${asked}) with ordinality as asked (word, place)
       cross join lateral (
         select count(*)::integer as count from (
           select 1
           from ${segments} s join ${postings} p
             on p.segment = s.id and p.field = 0 and p.word = asked.word
             cross join lateral unnest(p.entries) as entry ${within}
           where ${number} not in (select number from ${removed}) and ${where ?? 'true'}
           limit ${atMost}
         ) as counted
       ) as found
     where count > 0`,
    parameters.values,
  );
  return new Map(rows.map((row) => [terms[Number(row['place']) - 1] ?? '', Number(row['count'])]));
}
