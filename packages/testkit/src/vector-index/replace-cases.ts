import type { IndexHit, IndexRow } from '@trove/core/index';
import type { ConformanceCase } from '../case.js';
import { expect, expectEqual, expectRejection } from '../expect.js';
import { searchIds, keysById, sparse } from './queries.js';
import { axis, idsOf, live, put, row, withCollection, type VectorIndexSubject } from './subject.js';

const manyGroups = 300;
const oddNames = [
  "it's",
  '"quoted"',
  "'; DROP TABLE default; --",
  'back\\slash',
  "trailing\\'",
  'per%cent_',
  'a#b',
  'a#0',
  'ünï😀',
  'line\nbreak',
];

/** Requirements on writing and reading back. */
export const replaceCases: readonly ConformanceCase<VectorIndexSubject>[] = [
  {
    id: 'rows-come-back-whole',
    title: 'returns rows with everything that was written',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const rows: IndexRow[] = [
          row('a', 'group', {
            kind: 'row_text',
            content: 'two\nlines, ünï😀 and a "quote"',
            locator: { id: 7, name: 'x', flag: true, none: null },
            title: 'A title',
            mediaType: null,
            modifiedAt: null,
            fields: {
              s: '7',
              n: 7.5,
              b: false,
              z: null,
              'odd "key"': "it's",
              list: ['a', 1, true],
              marked: ['\u0001[1]'],
              text: '\u0001["a"]',
            },
            terms: 'one two two',
            pairs: 'one_two two_two',
          }),
          row('b', 'group', { ordinal: 1, locator: { lines: [3, 3], chars: [0, 9] } }),
          row('c', 'group', { ordinal: 2, locator: null, vector: null }),
        ];
        await put(collection, rows);
        expectEqual(await collection.rows('group'), rows, 'rows of the group');
      }),
  },
  {
    id: 'rows-by-ordinal',
    title: 'returns the rows of a group by ordinal',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(
          collection,
          [11, 2, 0, 10, 1].map((ordinal) => row(`r${ordinal}`, 'group', { ordinal })),
        );
        expectEqual(await idsOf(collection, 'group'), ['r0', 'r1', 'r2', 'r10', 'r11'], 'rows');
      }),
  },
  {
    id: 'fetch-whole-hits',
    title: 'fetches a hit with all its displayed values',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const hit: IndexHit = {
          id: 'a',
          group: 'group',
          source: 'memory://source/a',
          kind: 'row_text',
          ordinal: 3,
          content: 'The first program',
          locator: { lines: [1, 2] },
          title: 'A title',
          mediaType: 'text/plain',
          connectorType: 'memory',
          modifiedAt: 1_700_000_000_123,
          fields: { author: 'Ada', year: 1843 },
        };
        await put(collection, [row('a', 'group', hit)]);
        const keyOf = await keysById(collection);
        expectEqual(await collection.fetch([keyOf('a')]), [hit], 'the hit');
      }),
  },
  {
    id: 'fetch-in-order',
    title: 'fetches hits in the order of the keys',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(
          collection,
          ['a', 'b', 'c'].map((id, ordinal) => row(id, 'group', { ordinal })),
        );
        const keyOf = await keysById(collection);
        const hits = await collection.fetch(['c', 'a', 'b'].map(keyOf));
        expectEqual(
          hits.map((hit) => hit?.id),
          ['c', 'a', 'b'],
          'ids of the hits',
        );
        expectEqual(await collection.fetch([]), [], 'hits without keys');
      }),
  },
  {
    id: 'identify-demoted-reason',
    title: 'returns the field `demoted_reason` of candidates, if it is a text',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const fields = [
          { demoted_reason: 'fixture', year: 1843 },
          { note: '"demoted_reason"' },
          { demoted_reason: 7 },
        ];
        await put(
          collection,
          fields.map((each, at) => row(`r${at}`, `g${at}`, { fields: each })),
        );
        const keyOf = await keysById(collection);
        const found = await collection.identify(['r0', 'r1', 'r2'].map(keyOf));
        expectEqual(
          found.map((each) => each?.demotedReason),
          ['fixture', null, null],
          'demoted reason',
        );
      }),
  },
  {
    id: 'identify-in-order',
    title: 'identifies candidates in the order of the keys, with null for removed rows',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(
          collection,
          ['a', 'b', 'c'].map((id, ordinal) => row(id, `group of ${id}`, { ordinal })),
        );
        const keyOf = await keysById(collection);
        await put(collection, [row('d', 'group of d')], ['group of a']);
        const found = await collection.identify(['c', 'a', 'b'].map(keyOf));
        expectEqual(
          found.map((each) => each && [each.id, each.group, each.source, each.ordinal]),
          [
            ['c', 'group of c', 'file://local/group of c', 2],
            null,
            ['b', 'group of b', 'file://local/group of b', 1],
          ],
          'identities',
        );
        expectEqual(await collection.identify([]), [], 'identities without keys');
      }),
  },
  {
    id: 'digest-of-content',
    title: 'gives equal texts the same digest and different texts different ones',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const long = 'a long text '.repeat(200);
        const contents = { a: long, b: `${long}!`, c: long, d: long.toUpperCase() };
        await put(
          collection,
          Object.entries(contents).map(([id, content]) => row(id, id, { content, title: id })),
        );
        const keyOf = await keysById(collection);
        const found = await collection.identify(['a', 'b', 'c', 'd'].map(keyOf));
        const [a, b, c, d] = found.map((each) => each?.digest ?? '');
        expectEqual(a, c, 'digest of the same text');
        expectEqual(new Set([a, b, d]).size, 3, 'digests of different texts');
        expect((a?.length ?? 0) < 100, `a digest is short, not ${a?.length} characters long`);
      }),
  },
  {
    id: 'replace-leaves-nothing',
    title: 'leaves no replaced row',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(collection, [
          row('old0', 'group'),
          row('old1', 'group', { ordinal: 1 }),
          row('old2', 'group', { ordinal: 2 }),
        ]);
        const keyOf = await keysById(collection);
        const replaced = ['old0', 'old2'].map(keyOf);
        await put(collection, [row('new0', 'group')]);
        expectEqual(await idsOf(collection, 'group'), ['new0'], 'rows after a shorter version');
        expectEqual(await searchIds(collection, {}), ['new0'], 'the found rows');
        const hits = await collection.fetch(replaced);
        expectEqual(hits.length, replaced.length, 'accepts the keys of replaced rows');
        for (const hit of hits) {
          expect(hit === null || hit.id === 'new0', 'no replaced row is fetched');
        }
      }),
  },
  {
    id: 'replace-again',
    title: 'stores the same rows when a replacement is repeated',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const rows = [row('a', 'group'), row('b', 'group', { ordinal: 1 })];
        await put(collection, rows);
        await put(collection, rows);
        expectEqual(await idsOf(collection, 'group'), ['a', 'b'], 'rows');
      }),
  },
  {
    id: 'replace-new',
    title: 'stores a group marked as new beside others and replaces it later',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(collection, [row('old', 'old')]);
        const groups = [
          { group: 'new', rows: [row('a', 'new'), row('b', 'new', { ordinal: 1 })], isNew: true },
          { group: 'old', rows: [row('other', 'old')] },
        ];
        await collection.replace(groups, { signal: live() });
        expectEqual(await searchIds(collection, {}), ['a', 'b', 'other'], 'rows');
        await put(collection, [row('c', 'new')]);
        expectEqual(await searchIds(collection, {}), ['c', 'other'], 'rows, replaced');
      }),
  },
  {
    id: 'replace-by-nothing',
    title: 'removes a group that is replaced by no rows',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(collection, [row('a', 'gone'), row('b', 'kept')]);
        await put(collection, [], ['gone', 'never there']);
        expectEqual(await idsOf(collection, 'gone'), [], 'rows of the removed group');
        expectEqual(await idsOf(collection, 'kept'), ['b'], 'rows of the other group');
      }),
  },
  {
    id: 'replace-many',
    title: `replaces ${manyGroups} groups in one call, whether they grow, shrink, appear or go`,
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const size = (at: number, round: number): number => (at * 7 + round * 3) % 5;
        const groupsOf = (round: number): IndexRow[] =>
          Array.from({ length: manyGroups }, (_, at) =>
            Array.from({ length: size(at, round) }, (_, ordinal) =>
              row(`${round}-${at}-${ordinal}`, `group ${at}`, { ordinal }),
            ),
          ).flat();
        const names = Array.from({ length: manyGroups }, (_, at) => `group ${at}`);
        await put(collection, groupsOf(0), names);
        await put(collection, groupsOf(1), names);
        const expected = groupsOf(1).map(({ id }) => id);
        const found = await searchIds(collection, {}, expected.length + 1);
        expectEqual(found, expected.sort(), 'rows written');
        expectEqual(await collection.count(), expected.length, 'all rows');
      }),
  },
  {
    id: 'replace-keeps-others',
    title: 'keeps other groups with similar names',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const names = ['g', 'g1', 'g10', 'G1', 'g1/x', 'g1#0'];
        for (const name of names) await put(collection, [row(name, name)]);
        await put(collection, [row('new', 'g1')]);
        const kept = names.filter((name) => name !== 'g1');
        for (const name of kept) expectEqual(await idsOf(collection, name), [name], name);
      }),
  },
  {
    id: 'odd-names',
    title: 'stores names and texts with any characters',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const named = (name: string): IndexRow =>
          row(name, name, { scope: name, source: `odd://${name}`, kind: name, title: name });
        await put(collection, oddNames.map(named));
        const keyOf = await keysById(collection);
        for (const name of oddNames) {
          expectEqual((await collection.fetch([keyOf(name)]))[0]?.id, name, `hit of ${name}`);
          expectEqual(await idsOf(collection, name), [name], `rows of ${name}`);
          const limits = { scope: name, sourcePrefix: `odd://${name}`, kinds: [name] };
          expectEqual(await collection.count(limits), 1, `count of ${name}`);
        }
        await put(
          collection,
          oddNames.map((name) => row(`new ${name}`, name)),
        );
        for (const name of oddNames) {
          expectEqual(
            await idsOf(collection, name),
            [`new ${name}`],
            `rows of ${name} after replacement`,
          );
        }
      }),
  },
  {
    id: 'aborted-writes-nothing',
    title: 'rejects a replacement with an aborted signal and writes nothing',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const groups = [{ group: 'group', rows: [row('a', 'group')] }];
        const signal = AbortSignal.abort();
        await expectRejection(collection.replace(groups, { signal }), 'an aborted replacement');
        expectEqual(await idsOf(collection, 'group'), [], 'rows');
        await collection.replace([], { signal: live() });
      }),
  },
  {
    id: 'empty-answers',
    title: 'answers all calls while it is empty',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const query = { vector: axis(0), sparse: { terms: ['a'], pairs: ['a_b'] } };
        const found = await collection.search({
          ...query,
          pairWeight: 0.2,
          candidates: 10,
          signal: live(),
        });
        expectEqual(found, { dense: [], sparse: [] }, 'candidates');
        expectEqual(await collection.rows('group'), [], 'rows');
        expectEqual(await collection.count(), 0, 'count');
        expectEqual(await sparse(collection, []), [], 'candidates without terms');
      }),
  },
];
