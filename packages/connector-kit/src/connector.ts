import { TroveError, type ChangesRequest, type Connector } from '@trove/core';

import { changes } from './changes.js';
import { grep } from './grep.js';
import { streamWithReader, withReader } from './operations.js';
import type { DatabaseSource, Relation } from './source.js';
import { Tree } from './tree.js';

/** The connector of a database: each relation is a folder with its records and its `schema.json`. */
export function databaseConnector<R extends Relation>(source: DatabaseSource<R>): Connector {
  const tree = new Tree(source);
  return {
    list: ({ signal }) =>
      streamWithReader(source, signal, async function* (reader) {
        for (const relation of await reader.relations()) {
          signal.throwIfAborted();
          yield* await tree.entriesOf(reader, relation);
        }
      }),

    stat: (path, { signal }) =>
      withReader(source, signal, async (reader) => {
        const relation = await tree.relationAt(reader, path, ['records', 'schema']);
        if (relation === null) return null;
        const entries = await tree.entriesOf(reader, relation);
        return entries.find((entry) => entry.path === path) ?? null;
      }),

    read: async (path, { signal }) => {
      const text = await withReader(source, signal, async (reader) => {
        const relation = await tree.relationAt(reader, path, ['schema']);
        return relation === null ? null : tree.schemaText(reader, relation);
      });
      if (text === null) throw notFound(path);
      return { bytes: Buffer.from(text), mediaType: 'application/json' };
    },

    ...(source.tellsChanges
      ? { changes: (request: ChangesRequest) => changes(source, tree, request) }
      : {}),

    records: (path, { signal, key, offset = 0, limit = Infinity, keysOnly = false }) =>
      streamWithReader(source, signal, async function* (reader) {
        const relation = await tree.relationAt(reader, path, ['records']);
        if (relation === null) throw notFound(path);
        if (relation.skip !== null)
          throw new TroveError('not_supported', `${path} is not read: ${relation.skip}.`);
        yield* key === undefined
          ? reader.records(relation, { offset, limit, keysOnly })
          : reader.find(relation, key);
      }),

    grep: (request) => grep(source, tree, request),

    check: ({ signal }) => source.check(signal),

    ...(source.close === undefined ? {} : { close: () => source.close?.() ?? Promise.resolve() }),
  };
}

function notFound(path: string): TroveError {
  return new TroveError('not_found', `The database has nothing at ${path}.`);
}
