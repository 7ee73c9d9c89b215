import { parseUri, TroveError } from '@trove/core';
import type { Connector, ConnectorContext, Health } from '@trove/core';

import { namesOfTables } from './catalog.js';
import type { Config } from './config.js';
import { Database } from './database.js';
import { unhealthy } from './failures.js';
import { grep } from './grep.js';
import { Objects } from './objects.js';
import type { Reader } from './reader.js';

const namesShown = 20;

/** A source of tables: everything is done by SQLite in Node's threads for files, so nothing blocks. */
export function createSqliteConnector(context: ConnectorContext<Config>): Connector {
  const { config, target, withheld } = context;
  const { path: file } = parseUri(target);
  const database = new Database({ path: file, withheld });
  const objects = new Objects(config);
  return {
    list: ({ signal }) => database.stream(signal, (reader) => objects.list(reader)),

    stat: (path, { signal }) => database.run(signal, (reader) => objects.stat(reader, path)),

    read: async (path, { signal }) => {
      const text = await database.run(signal, (reader) => objects.schemaText(reader, path));
      if (text === null) throw notFound(path);
      return { bytes: Buffer.from(text), mediaType: 'application/json' };
    },

    records: (path, { signal, key, offset = 0, limit = Infinity }) =>
      database.stream(signal, async function* (reader) {
        const relation = await objects.relationOfRows(reader, path);
        if (relation === null) throw notFound(path);
        if (relation.skip !== null)
          throw new TroveError('not_supported', `${path} is not read: ${relation.skip}.`);
        const most = key === undefined ? offset + limit : Infinity;
        const rows = await objects.rows(reader, relation, most);
        yield* key === undefined ? rows.records(offset, limit) : rows.find(key);
      }),

    grep: (request) => grep(database, objects, request),

    check: async ({ signal }) => {
      try {
        return await database.run(signal, (reader) => healthOf(reader, config, file));
      } catch (error) {
        signal.throwIfAborted();
        return { ok: false, detail: unhealthy(error, file).detail };
      }
    },
  };
}

async function healthOf(reader: Reader, { tables }: Config, file: string): Promise<Health> {
  const there = await namesOfTables(reader);
  const missing = tables.filter((name) => !there.includes(name));
  if (missing.length === 0)
    return { ok: true, detail: `A SQLite database with ${there.length} tables and views.` };
  const known = there.length === 0 ? 'no table' : there.slice(0, namesShown).join(', ');
  return {
    ok: false,
    detail: `The database ${file} has no table or view ${missing.join(', ')}: name some of those in it (${known}) in \`tables\`, or leave \`tables\` out.`,
  };
}

function notFound(path: string): TroveError {
  return new TroveError('not_found', `There is no table or view at ${path}.`);
}
