import { defineConnector, type Connector, type SourceRecord } from '@trove/core';

/** Number of entries of the folder `many`. */
export const manyEntries = 100_000;
/** Number of records of the object `goods`. */
export const goodsCount = 700;

const messages: readonly SourceRecord[] = [
  message(1, 'Ann', 'Where is the walrus report?'),
  message(2, 'Bo', 'On the <b>shelf</b>, next to the stapler.'),
];

function message(id: number, author: string, text: string): SourceRecord {
  return {
    key: { id },
    fields: { id },
    author,
    text,
    at: Date.UTC(2026, 0, id),
    thread: 'report',
  };
}

/** A source with a conversation, a table of several pages, and a large folder. */
export function archiveConnector() {
  return defineConnector({
    keys: ['archive'],
    configSchema: { type: 'object', additionalProperties: false },
    create: (context): Connector => ({
      async *list() {
        const common = { size: null, modifiedAt: null, fingerprint: null, keyFields: ['id'] };
        yield { ...common, path: 'chat', kind: 'message_stream' };
        yield { ...common, path: 'goods', kind: 'table_rows' };
      },
      async *records(path, { offset = 0, limit = Infinity }) {
        yield* path === 'chat' ? messages : goods(offset, limit);
      },
      async *browse(path) {
        const common = { size: null, modifiedAt: null };
        if (path === '') {
          yield { ...common, name: 'chat', type: 'file' };
          yield { ...common, name: 'goods', type: 'file' };
          yield { ...common, name: 'many', type: 'dir' };
        } else if (path === 'many') {
          for (let index = 1; index <= manyEntries; index++) {
            yield { ...common, name: `object-${String(index).padStart(6, '0')}.txt`, type: 'file' };
          }
        } else if (/^(chat|goods|many\/object-\d{6}\.txt)$/.test(path)) {
          yield { ...common, name: path.slice(path.lastIndexOf('/') + 1), type: 'file' };
        } else throw context.error('not_found', 'There is nothing');
      },
    }),
  });
}

function* goods(offset: number, limit: number): Generator<SourceRecord> {
  const end = Math.min(goodsCount, offset + limit);
  for (let id = offset + 1; id <= end; id++) {
    yield { key: { id }, fields: { id, name: `article ${id}`, price: id * 2 } };
  }
}
