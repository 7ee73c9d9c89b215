import { queryTerms } from '@trove/text/analyzer';
import { Client } from 'pg';

import { between, randomFrom } from '@trove/test-support/random.js';
import { wordsFrom } from '../tree/words.mjs';

/** The environment variable with the address of the rows. */
export const sourceVariable = 'SCALING_SOURCE';

const randomSeed = 1;
const rowsPerTable = 10_000;
const wordsPerRow = 40;
const wordsPerQuery = 3;
const maxQueries = 240;

/**
 * Creates a schema with `rows` generated rows, 10,000 in each table. Returns `{ bytes, queries }`: the bytes of their texts,
 * and queries with words of some rows.
 */
export async function writeRows(url, schema, rows) {
  const random = randomFrom(randomSeed + rows);
  const words = wordsFrom(random);
  const every = Math.ceil(rows / maxQueries);
  const queries = [];
  let bytes = 0;
  const textOf = (id) => {
    const next = words.topic(id % words.topics);
    const list = Array.from({ length: wordsPerRow }, next);
    if (id % every === 0) queries.push(queryFrom(random, list));
    const text = list.join(' ');
    bytes += Buffer.byteLength(text);
    return text;
  };
  await withClient(url, async (client) => {
    await client.query(`create schema ${schema}`);
    for (let start = 0; start < rows; start += rowsPerTable) {
      const table = tableOf(schema, start);
      const ids = Array.from(
        { length: Math.min(rowsPerTable, rows - start) },
        (_, at) => start + at,
      );
      await client.query(`create table ${table} (id bigint primary key, body text not null)`);
      await client.query(`insert into ${table} select * from unnest($1::bigint[], $2::text[])`, [
        ids,
        ids.map(textOf),
      ]);
    }
    await client.query('analyze');
  });
  return { bytes, queries };
}

/** Changes a row in a hundred, in every table. */
export async function changeHundredth(url, schema, rows) {
  await withClient(url, async (client) => {
    for (let start = 0; start < rows; start += rowsPerTable)
      await client.query(
        `update ${tableOf(schema, start)} set body = body || ' amended' where id % 100 = 0`,
      );
  });
}

/** Returns the target and configuration that add a schema as a source of its own. */
export function sourceOf(schema) {
  return {
    target: `postgres://${schema}`,
    config: { dsn: `env:${sourceVariable}`, schemas: [schema] },
  };
}

/** Returns the bytes of each table of a database with its indexes. */
export function tableBytes(url) {
  return withClient(url, async (client) => {
    const { rows } = await client.query(`
      select relname as name, pg_total_relation_size(oid)::float8 as bytes
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 2 desc`);
    return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
  });
}

async function withClient(url, work) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function tableOf(schema, start) {
  return `${schema}.rows_${start / rowsPerTable}`;
}

/** Returns neighbouring words of a row without stop words. */
function queryFrom(random, list) {
  const words = list.filter((word) => queryTerms(word).terms.length > 0);
  const start = between(random, 0, Math.max(0, words.length - wordsPerQuery));
  return words.slice(start, start + wordsPerQuery).join(' ');
}
