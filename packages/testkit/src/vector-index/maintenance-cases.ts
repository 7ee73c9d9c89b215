import type { ConformanceCase } from '../case.js';
import { expect, expectEqual } from '../expect.js';
import { dense, ids, searchIds, sparse } from './queries.js';
import {
  axis,
  put,
  row,
  spec,
  withCollection,
  withIndex,
  type VectorIndexSubject,
} from './subject.js';

const rowCount = 1500;

/** Requirements on optional maintenance of an index. */
export const maintenanceCases: readonly ConformanceCase<VectorIndexSubject>[] = [
  {
    id: 'size-grows',
    title: 'reports its size, if at all, in bytes that grow with its content',
    run: (subject) =>
      withIndex(subject, async (index) => {
        if (index.size === undefined) return;
        const collection = await index.collection(spec);
        const before = await index.size();
        expect(isCount(before), `size: ${before} is not a number of bytes`);
        const rows = Array.from({ length: rowCount }, (_, at) =>
          row(`r${at}`, `group ${at}`, { content: `${at} of many words `.repeat(20) }),
        );
        await put(collection, rows);
        const after = await index.size();
        expect(isCount(after), `size: ${after} is not a number of bytes`);
        expect(after > before, `${before} bytes before ${rowCount} rows, ${after} with them`);
      }),
  },
  {
    id: 'compact-keeps-rows',
    title: 'keeps its rows and concurrent writes during compaction',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        if (collection.compact === undefined) return;
        await put(collection, [
          row('first', 'one', { terms: 'common apple', vector: axis(1) }),
          row('gone', 'two', { terms: 'common pear', vector: axis(2) }),
          row('last', 'three', { terms: 'common apple plum', vector: axis(3) }),
        ]);
        await put(collection, [], ['two']);
        const compacted = collection.compact();
        await put(collection, [row('fresh', 'four', { terms: 'common cherry', vector: axis(4) })]);
        await compacted;
        expectEqual(await searchIds(collection, {}), ['first', 'fresh', 'last'], 'rows');
        expectEqual(ids(await sparse(collection, ['apple'])).sort(), ['first', 'last'], 'by words');
        expectEqual(ids(await dense(collection, axis(4)))[0], 'fresh', 'the nearest row');
      }),
  },
];

function isCount(bytes: number): boolean {
  return Number.isSafeInteger(bytes) && bytes >= 0;
}
