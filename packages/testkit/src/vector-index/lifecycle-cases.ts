import type { Collection, IndexRow } from '@trove/core/index';
import type { ConformanceCase } from '../case.js';
import { expect, expectEqual, expectError } from '../expect.js';
import { dense, ids, searchIds, sparse } from './queries.js';
import {
  angle,
  axis,
  testDimension,
  idsOf,
  put,
  row,
  spec,
  withCollection,
  withIndex,
  type VectorIndexSubject,
} from './subject.js';

/** Enough for a store with secondary indexes to build them. */
const rowCount = 2500;
const writerCount = 4;

/** Requirements over time, between several users, and on the database of collections. */
export const lifecycleCases: readonly ConformanceCase<VectorIndexSubject>[] = [
  {
    id: 'optimize-changes-nothing',
    title: 'finds the same rows before and after maintenance',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(collection, manyRows());
        await put(collection, [row('short', 'group 7', { terms: 'common word7' })]);
        const before = await seen(collection);
        await collection.optimize();
        expectEqual(await seen(collection), before, 'the found rows');
        await collection.optimize();
        expectEqual(await seen(collection), before, 'the found rows after another maintenance');
      }),
  },
  {
    id: 'fresh-rows-are-found',
    title: 'finds rows written after maintenance at once, among older ones',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(collection, manyRows());
        await collection.optimize();
        await put(collection, [
          row('fresh', 'fresh', { terms: 'word7 word7 word7', vector: axis(3) }),
          row('again', 'group 8', { terms: 'other' }),
        ]);
        const found = ids(await sparse(collection, ['word7']));
        expectEqual(found[0], 'fresh', 'the row with the most occurrences of a term');
        expect(found.length > 1, 'older rows with the term must also be found');
        expectEqual(ids(await dense(collection, axis(3)))[0], 'fresh', 'the nearest row');
        expectEqual(await idsOf(collection, 'group 8'), ['again'], 'a rewritten group');
        expectEqual(ids(await sparse(collection, ['group8'])), [], 'replaced rows');
      }),
  },
  {
    id: 'writes-visible-everywhere',
    title: 'shows writes in every open collection',
    run: (subject) =>
      withIndex(subject, async (one) => {
        const writer = await one.collection(spec);
        await put(writer, [row('old', 'group')]);
        await withIndex(subject, async (two) => {
          const reader = await two.collection(spec);
          expectEqual(await searchIds(reader, {}), ['old'], 'seen at first');
          await put(writer, [row('new', 'group')]);
          expectEqual(await searchIds(reader, {}), ['new'], 'seen after a replacement');
        });
      }),
  },
  {
    id: 'writers-at-once',
    title: 'loses and mixes nothing with several concurrent writers',
    run: (subject) =>
      withWriters(subject, async (writers) => {
        const [first] = writers;
        for (let round = 0; round < 5; round++) {
          await Promise.all(
            writers.map((writer, at) => put(writer, [...own(at, round), ...shared(at, round)])),
          );
          const group = await idsOf(first, 'shared');
          const winner = Number(group[0]?.split('-')[1]);
          const expected = shared(winner, round).map(({ id }) => id);
          expectEqual(group, expected, 'rows of the shared group');
          for (let at = 0; at < writerCount; at++) {
            const kept = await idsOf(first, `own ${at}`);
            const wrote = own(at, round).map(({ id }) => id);
            expectEqual(kept, wrote, `rows of writer ${at}`);
          }
        }
      }),
  },
  {
    id: 'stays',
    title: 'keeps its rows when it is closed and reopened',
    run: async (subject) => {
      await withCollection(subject, (collection) => put(collection, [row('a', 'group')]));
      await withCollection(subject, async (collection) => {
        expectEqual(await searchIds(collection, {}), ['a'], 'rows');
      });
    },
  },
  {
    id: 'refuses-other-vectors',
    title: 'rejects opening a collection with another dimension or embedding',
    run: async (subject) => {
      const others = [
        { ...spec, dimension: testDimension * 2 },
        { ...spec, embedding: 'another/1' },
      ];
      await withIndex(subject, async (index) => {
        await index.collection(spec);
        for (const other of others) {
          await expectError(index.collection(other), 'index_mismatch', 'concurrent openings');
        }
      });
      await withIndex(subject, async (index) => {
        for (const other of others) {
          await expectError(index.collection(other), 'index_mismatch', 'opened later');
        }
      });
    },
  },
  {
    id: 'collections-apart',
    title: 'separates collections, lists them, and drops one without the others',
    run: (subject) =>
      withIndex(subject, async (index) => {
        const one = await index.collection({ ...spec, name: 'graph-1_entities' });
        const two = await index.collection({ ...spec, name: 'graph-1_relations' });
        await put(one, [row('a', 'group')]);
        await put(two, [row('b', 'group')]);
        expectEqual(await idsOf(one, 'group'), ['a'], 'rows of the first collection');
        const names = ['graph-1_entities', 'graph-1_relations'];
        expectEqual((await index.collections()).sort(), names, 'collections');
        await index.drop('graph-1_entities');
        await index.drop('never there');
        expectEqual(await index.collections(), ['graph-1_relations'], 'collections after a drop');
        expectEqual(await idsOf(two, 'group'), ['b'], 'rows of the other collection');
        const again = await index.collection({ ...spec, name: 'graph-1_entities' });
        expectEqual(await again.count(), 0, 'rows of a recreated collection');
      }),
  },
  {
    id: 'dropped-by-others',
    title: 'reopens a collection that another process dropped or recreated',
    run: (subject) =>
      withIndex(subject, (one) =>
        withIndex(subject, async (other) => {
          await put(await one.collection(spec), [row('old', 'old')]);
          expectEqual(await searchIds(await other.collection(spec), {}), ['old'], 'seen at first');
          await one.drop(spec.name);
          await put(await other.collection(spec), [row('new', 'new')]);
          expectEqual(await searchIds(await other.collection(spec), {}), ['new'], 'its own rows');
          expectEqual(
            await searchIds(await one.collection(spec), {}),
            ['new'],
            'rows of the other collection',
          );
          await one.drop(spec.name);
          const wider = { ...spec, dimension: testDimension * 2, embedding: 'another/1' };
          await one.collection(wider);
          expectEqual(
            await (await other.collection(wider)).count(),
            0,
            'rows of the recreated collection',
          );
        }),
      ),
  },
];

function manyRows(): IndexRow[] {
  return Array.from({ length: rowCount }, (_, at) =>
    row(`r${at}`, `group ${at % 500}`, {
      ordinal: Math.floor(at / 500),
      vector: at % 10 === 0 ? null : angle((at % 170) + 1),
      terms: `common word${at % 50} group${at % 500}`,
      fields: { at },
    }),
  );
}

/** Returns the results of some searches without scores, because statistics may be less exact before maintenance. */
async function seen(collection: Collection): Promise<unknown> {
  const rare = ids(await sparse(collection, ['group9'])).sort();
  const near = await dense(collection, axis(0), { candidates: 10 });
  const { length } = await sparse(collection, ['word7']);
  const scores = near.map(({ score }) => score.toFixed(3));
  return {
    count: await collection.count(),
    rare,
    length,
    scores,
    rows: await idsOf(collection, 'group 7'),
  };
}

const own = (at: number, round: number): IndexRow[] =>
  Array.from({ length: ((at + round) % 3) + 1 }, (_, ordinal) =>
    row(`own-${at}-${round}-${ordinal}`, `own ${at}`, { ordinal }),
  );

const shared = (at: number, round: number): IndexRow[] =>
  Array.from({ length: ((at * 2 + round) % 5) + 1 }, (_, ordinal) =>
    row(`shared-${at}-${round}-${ordinal}`, 'shared', { ordinal }),
  );

/** Runs with one collection that each of several writers has opened. */
async function withWriters(
  subject: VectorIndexSubject,
  run: (writers: [Collection, ...Collection[]]) => Promise<void>,
): Promise<void> {
  const open = async (collections: Collection[]): Promise<void> => {
    const [first, ...rest] = collections;
    if (first !== undefined && collections.length === writerCount) return run([first, ...rest]);
    return withCollection(subject, (next) => open([...collections, next]));
  };
  await open([]);
}
