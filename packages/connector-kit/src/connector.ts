import { TroveError, type ChangesRequest, type Connector } from '@trove/core';

import { streamChanges } from './changes.js';
import { grepTables } from './grep.js';
import { streamWithReader, withReader } from './with-reader.js';
import type { DatabaseSource, Table } from './source.js';
import { DatabaseTree } from './tree.js';

/** Creates a connector that shows each table as a folder with its records and its `schema.json`. */
export function createDatabaseConnector<T extends Table>(source: DatabaseSource<T>): Connector {
  const tree = new DatabaseTree(source);
  return {
    list: ({ signal }) =>
      streamWithReader(source, signal, async function* (reader) {
        for (const table of await reader.tables()) {
          signal.throwIfAborted();
          yield* await tree.entriesOf(reader, table);
        }
      }),

    stat: (path, { signal }) =>
      withReader(source, signal, async (reader) => {
        const table = await tree.tableAt(reader, path, ['records', 'schema']);
        if (table === null) return null;
        const entries = await tree.entriesOf(reader, table);
        return entries.find((entry) => entry.path === path) ?? null;
      }),

    read: async (path, { signal }) => {
      const text = await withReader(source, signal, async (reader) => {
        const table = await tree.tableAt(reader, path, ['schema']);
        return table === null ? null : tree.schemaText(reader, table);
      });
      if (text === null) throw notFound(path);
      return { bytes: Buffer.from(text), mediaType: 'application/json' };
    },

    ...(source.tracksChanges
      ? { changes: (request: ChangesRequest) => streamChanges(source, tree, request) }
      : {}),

    records: (path, { signal, key, offset = 0, limit = Infinity, keysOnly = false }) =>
      streamWithReader(source, signal, async function* (reader) {
        const table = await tree.tableAt(reader, path, ['records']);
        if (table === null) throw notFound(path);
        if (table.skip !== null)
          throw new TroveError('not_supported', `${path} cannot be read: ${table.skip}.`);
        yield* key === undefined
          ? reader.records(table, { offset, limit, keysOnly })
          : reader.find(table, key);
      }),

    grep: (request) => grepTables(source, tree, request),

    check: ({ signal }) => source.check(signal),

    ...(source.close === undefined ? {} : { close: () => source.close?.() ?? Promise.resolve() }),
  };
}

function notFound(path: string): TroveError {
  return new TroveError('not_found', `The database has no object at ${path}.`);
}
