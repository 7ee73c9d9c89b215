/* A table of rows with about 200 bytes of generated text each, in a SQLite database and as a source with a cursor. */
import { createRequire } from 'node:module';

import sqliteConnector from '@trove/connector-sqlite';

const words =
  'harbour sail winter letter copper garden window river market silver bridge paper candle orchard storm engine valley lantern basket meadow signal anchor thread'.split(
    ' ',
  );
const rowChars = 190;
const insertedAtOnce = 1000;
export const changedText = 'a changed zebra row';

export function textOf(id) {
  let state = (id * 2654435761) % 4294967296;
  let text = `row ${id}`;
  while (text.length < rowChars) {
    state = (state * 1664525 + 1013904223) % 4294967296;
    text += ` ${words[state % words.length]}${state % 997}`;
  }
  return text;
}

/** Creates a SQLite database with the rows. */
export async function makeDatabase({ rows, path }) {
  const run = opened(path);
  await run('create table rows (id integer primary key, text text not null)');
  await run('begin');
  for (let from = 0; from < rows; from += insertedAtOnce) {
    const ids = Array.from({ length: Math.min(insertedAtOnce, rows - from) }, (_, at) => from + at);
    const values = ids.map((id) => `(${id}, '${textOf(id)}')`);
    await run(`insert into rows values ${values.join()}`);
  }
  await run('commit');
}

/** Returns the rows of such a database through its connector. */
export function databaseOf({ rows, path }) {
  const target = `sqlite://${path}`;
  return {
    target,
    plugins: [],
    changedId: rows >> 1,
    change: () => opened(path)(`update rows set text = '${changedText}' where id = ${rows >> 1}`),
    async stream() {
      const { signal } = new AbortController();
      const context = { config: { tables: [], views: true }, target, deniedRoots: [], signal };
      const connector = await [sqliteConnector].flat()[0].create(context);
      let chars = 0;
      for await (const { fields } of connector.records('main/rows/rows.jsonl', { signal }))
        chars += fields.text.length;
      await connector.close?.();
      return chars;
    },
  };
}

function opened(path) {
  const require = createRequire(import.meta.resolve('@trove/connector-sqlite'));
  const { Database } = require('sqlite3');
  const database = new Database(path);
  return (statement) =>
    new Promise((resolve, reject) => {
      database.exec(statement, (error) => (error === null ? resolve() : reject(error)));
    });
}

/** Returns the same rows as a source with a cursor that reports changed rows. */
export function cursorOf({ rows }) {
  const changedId = rows >> 1;
  let isChanged = false;
  const recordOf = (id) => {
    const text = isChanged && id === changedId ? changedText : textOf(id);
    return { key: { id }, fields: { id, text } };
  };
  const records = async function* () {
    for (let id = 0; id < rows; id++) yield recordOf(id);
  };
  const facts = { size: null, modifiedAt: null, fingerprint: null };
  const entry = { path: 'rows', kind: 'table_rows', keyFields: ['id'], ...facts };
  const connector = {
    kind: 'connector',
    apiVersion: 1,
    keys: ['cursor'],
    configSchema: { type: 'object', properties: {}, additionalProperties: false },
    create: () => ({
      async *list() {
        yield entry;
      },
      stat: async () => entry,
      records,
      async *changes({ cursor, commit }) {
        if (cursor === undefined) yield { entry };
        else yield { path: 'rows', records: [recordOf(changedId)], removedKeys: [], total: rows };
        commit(1);
      },
    }),
  };
  return {
    target: 'cursor://table',
    plugins: [connector],
    changedId,
    change: async () => void (isChanged = true),
    async stream() {
      let chars = 0;
      for await (const { fields } of records()) chars += fields.text.length;
      return chars;
    },
  };
}
