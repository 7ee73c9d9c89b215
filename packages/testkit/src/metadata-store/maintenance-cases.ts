import { expect, expectEqual } from '../expect.js';
import { indexPaths, newConnector, pathsOf } from './setup.js';
import type { MetadataStoreCase } from './subject.js';

const objectCount = 2000;

/** Requirements on optional maintenance of a store. */
export const maintenanceCases: readonly MetadataStoreCase[] = [
  {
    id: 'size-grows',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'reports its size, if at all, in bytes that grow with its content',
    run: async ({ open }) => {
      const store = await open();
      if (store.size === undefined) return;
      const before = await store.size();
      expect(isCount(before), `size: ${before} is not a number of bytes`);
      const paths = Array.from({ length: objectCount }, (_, at) => `a/folder/of/many/${at}.md`);
      await indexPaths(store, paths);
      const after = await store.size();
      expect(isCount(after), `size: ${after} is not a number of bytes`);
      expect(after > before, `${before} bytes before ${objectCount} objects, ${after} with them`);
    },
  },
  {
    id: 'compact-keeps-everything',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'objects'],
    title: 'keeps data and writes of another store during compaction',
    run: async ({ open }) => {
      const [store, other] = await Promise.all([open(), open()]);
      if (store.compact === undefined) return;
      await indexPaths(store, ['a', 'b']);
      await indexPaths(store, ['x'], { id: 'j9', connectorId: 'c9' });
      await store.sources.delete('c9');
      const compacted = store.compact();
      await other.sources.register(newConnector('c2'));
      await compacted;
      expectEqual(await pathsOf(store), ['a', 'b'], 'objects');
      const known = (await store.sources.list()).map(({ id }) => id);
      expectEqual(known, ['c1', 'c2'], 'connectors');
    },
  },
];

function isCount(bytes: number): boolean {
  return Number.isSafeInteger(bytes) && bytes >= 0;
}
