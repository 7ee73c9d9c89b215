import { TroveError, type ChangesRequest, type Connector } from '@trove/core';

import { streamChanges } from './changes.js';
import { grepRelations } from './grep.js';
import { streamWithReader, withReader } from './with-reader.js';
import type { DatabaseSource, Relation } from './source.js';
import { DatabaseTree } from './tree.js';

/** Creates a connector that shows each relation as a folder with its records and its `schema.json`. */
export function createDatabaseConnector<R extends Relation>(source: DatabaseSource<R>): Connector {
  const tree = new DatabaseTree(source);
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

    ...(source.tracksChanges
      ? { changes: (request: ChangesRequest) => streamChanges(source, tree, request) }
      : {}),

    records: (path, { signal, key, offset = 0, limit = Infinity, keysOnly = false }) =>
      streamWithReader(source, signal, async function* (reader) {
        const relation = await tree.relationAt(reader, path, ['records']);
        if (relation === null) throw notFound(path);
        if (relation.skip !== null)
          throw new TroveError('not_supported', `${path} cannot be read: ${relation.skip}.`);
        yield* key === undefined
          ? reader.records(relation, { offset, limit, keysOnly })
          : reader.find(relation, key);
      }),

    grep: (request) => grepRelations(source, tree, request),

    check: ({ signal }) => source.check(signal),

    ...(source.close === undefined ? {} : { close: () => source.close?.() ?? Promise.resolve() }),
  };
}

function notFound(path: string): TroveError {
  return new TroveError('not_found', `The database has no object at ${path}.`);
}
