import { matchesFilter, parseFilter } from '@trove/core';
import type { Collection, FrequencyQuery, IndexRow } from '@trove/core/index';
import type { ConformanceCase } from '../case.js';
import { expectEqual } from '../expect.js';
import { dense, ids, searchIds, sparse } from './queries.js';
import { fieldOf, randomFilters, sampleRows, tellingFilters } from './filters.js';
import { angle, axis, put, row, withCollection, type VectorIndexSubject } from './subject.js';

/** Requirements on restricting searches, counts and removals. */
export const scopeCases: readonly ConformanceCase<VectorIndexSubject>[] = [
  {
    id: 'within-a-scope',
    title: 'limits a search to a scope',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(
          collection,
          ['one', 'one1', 'two'].map((scope) => row(scope, scope, { scope })),
        );
        expectEqual(await searchIds(collection, { scope: 'one' }), ['one'], 'sparse');
        const found = await dense(collection, axis(0), { scope: 'two' });
        expectEqual(ids(found), ['two'], 'dense');
      }),
  },
  {
    id: 'below-a-source',
    title: 'limits a search to an object and everything below it, not to similar names',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const paths = ['a', 'a/b', 'a/b/c', 'a/bc', 'a/b.c', 'a/b c', 'a/B/c', 'a/b/ü', 'a/%/c'];
        await put(
          collection,
          paths.map((path) => row(path, path, { source: `file://local/${path}` })),
        );
        const below = (sourcePrefix: string): Promise<string[]> =>
          searchIds(collection, { sourcePrefix });
        expectEqual(await below('file://local/a/b'), ['a/b', 'a/b/c', 'a/b/ü'], 'below a/b');
        expectEqual(await below('file://local/a/%'), ['a/%/c'], 'below a/%');
        expectEqual(await below('file://local'), [...paths].sort(), 'below the root');
      }),
  },
  {
    id: 'within-sources',
    title: 'limits searches, counts and fields to several objects and everything below them',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const paths = ['a', 'a/b', 'a/bc', 'c', 'cd', 'd/e', "d/it's"];
        await put(
          collection,
          paths.map((path) =>
            row(path, path, { source: `file://local/${path}`, fields: { [`of ${path}`]: 1 } }),
          ),
        );
        const uris = (...within: string[]): { within: string[] } => ({
          within: within.map((path) => `file://local/${path}`),
        });
        expectEqual(await searchIds(collection, uris('a/b', 'c')), ['a/b', 'c'], 'two');
        expectEqual(await searchIds(collection, uris("d/it's")), ["d/it's"], 'an odd name');
        expectEqual(await searchIds(collection, uris()), [], 'none');
        const both = { ...uris('a', 'c'), sourcePrefix: 'file://local/a/b' };
        expectEqual(await searchIds(collection, both), ['a/b'], 'below a source, too');
        const found = await dense(collection, axis(0), uris('d'));
        expectEqual(ids(found).sort(), ['d/e', "d/it's"], 'dense');
        const counted = { ...uris('c', 'd'), maxCount: 9 };
        const [[, count] = ['', 0]] = await collection.frequencies(['common'], counted);
        expectEqual(count, 3, 'rows with a term');
        expectEqual(await collection.count(uris('c', 'd')), 3, 'rows');
        expectEqual(await collection.hasField('of a', uris('a')), true, 'a field within');
        expectEqual(await collection.hasField('of a', uris('c')), false, 'a field elsewhere');
        expectEqual(await collection.sampleFields(uris('c')), ['of c'], 'fields within');
      }),
  },
  {
    id: 'within-many-sources',
    title: 'limits searches and counts to hundreds of objects',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const paths = Array.from({ length: 1200 }, (_, at) => `folder ${at % 7}/${at}`);
        const rows = paths.map((path, at) =>
          row(path, path, { terms: at < 4 ? 'common rare' : 'common' }),
        );
        for (let at = 0; at < rows.length; at += 200)
          await put(collection, rows.slice(at, at + 200));
        await collection.optimize();
        const visible = paths.filter((_, at) => at % 2 === 0);
        const within = visible.map((path) => `file://local/${path}`);
        const found = await searchIds(collection, { within }, paths.length);
        expectEqual(found, visible.toSorted(), 'the rows');
        expectEqual(await collection.count({ within }), visible.length, 'their number');
        const counts = await collection.frequencies(['rare'], { within, maxCount: 9 });
        expectEqual(counts.get('rare'), 2, 'the rows with a term');
      }),
  },
  {
    id: 'of-kinds',
    title: 'limits a search to kinds of chunks',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const kinds = ['body', 'summary', 'row_text'];
        await put(
          collection,
          kinds.map((kind) => row(kind, kind, { kind })),
        );
        const two = await searchIds(collection, { kinds: ['row_text', 'body'] });
        expectEqual(two, ['body', 'row_text'], 'of two kinds');
        expectEqual(await searchIds(collection, { kinds: [] }), [], 'of no kinds');
      }),
  },
  {
    id: 'filters',
    title: 'filters exactly as the filter language defines',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const rows = sampleRows();
        await put(collection, rows);
        const passing = (filter: Parameters<typeof matchesFilter>[0]): string[] =>
          rows
            .filter((each: IndexRow) => matchesFilter(filter, (field) => fieldOf(each, field)))
            .map(({ id }) => id)
            .sort();
        for (const filter of [
          ...tellingFilters.map((text) => parseFilter(text)),
          ...randomFilters(),
        ]) {
          const found = await searchIds(collection, { filter });
          expectEqual(found, passing(filter), `rows that pass ${JSON.stringify(filter)}`);
        }
      }),
  },
  {
    id: 'limits-come-first',
    title: 'ranks only rows within the limits, even if others are better',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const better = Array.from({ length: 60 }, (_, at) =>
          row(`better ${at}`, 'better', { ordinal: at, vector: axis(0), terms: 'word' }),
        );
        const worse = row('worse', 'worse', {
          fields: { wanted: true },
          vector: angle(100),
          terms: 'word and much that is not asked for',
        });
        await put(collection, [...better, worse]);
        const limits = { filter: parseFilter('wanted = true'), candidates: 1 };
        expectEqual(ids(await dense(collection, axis(0), limits)), ['worse'], 'dense');
        expectEqual(ids(await sparse(collection, ['word'], limits)), ['worse'], 'sparse');
      }),
  },
  {
    id: 'knows-fields',
    title: 'knows the free fields of its current rows',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        expectEqual(await collection.sampleFields(), [], 'fields of an empty collection');
        const odd = `odd "'\\ key`;
        await put(collection, [
          row('a', 'a', { fields: { year: 1843, note: 'ends in "fake":string', nothing: null } }),
          row('b', 'b', { fields: { [odd]: false, 'address.city': 'London' } }),
        ]);
        const known = async (...names: string[]): Promise<boolean[]> =>
          Promise.all(names.map((name) => collection.hasField(name)));
        const there = ['year', 'note', odd, 'address.city'];
        expectEqual(await known(...there), [true, true, true, true], 'existing fields');
        const others = ['nothing', 'Year', 'yea', 'fake', 'title', '', 'toString'];
        expectEqual(
          await known(...others),
          others.map(() => false),
          'missing fields',
        );
        const some = (await collection.sampleFields()).filter((name) => name !== 'nothing');
        expectEqual(some.sort(), [...there].sort(), 'their names');
        await put(collection, [row('b', 'b')]);
        expectEqual(await known('year', odd), [true, false], 'after the removal of its only row');
      }),
  },
  {
    id: 'counts',
    title: 'counts the rows within limits, or all rows',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(collection, [
          row('a', 'a', { scope: 'one', kind: 'body' }),
          row('b', 'b', { scope: 'one', kind: 'summary' }),
          row('c', 'c', { scope: 'two', kind: 'body', fields: { year: 2001 } }),
        ]);
        expectEqual(await collection.count(), 3, 'all rows');
        expectEqual(await collection.count({ scope: 'one' }), 2, 'rows of a scope');
        expectEqual(
          await collection.count({ scope: 'one', kinds: ['body'] }),
          1,
          'within both limits',
        );
        const later = await collection.count({ filter: parseFilter('year > 2000') });
        expectEqual(later, 1, 'rows that pass a filter');
      }),
  },
  {
    id: 'counts-terms',
    title: 'counts rows per term, within limits and up to a maximum',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const asked = ['rare', 'usual', 'usua', 'gone', 'Usual', 'rare'];
        const counted = async (query: FrequencyQuery): Promise<[string, number][]> =>
          [...(await collection.frequencies(asked, query))].sort(([a], [b]) => (a < b ? -1 : 1));
        expectEqual(await counted({ maxCount: 9 }), [], 'in nothing');
        const terms = ['rare usual', 'usual usual', 'usual other', 'gone'];
        await put(
          collection,
          terms.map((each, at) => row(`r${at}`, `g${at}`, { terms: each, fields: { at } })),
        );
        await put(collection, [row('r3', 'g3', { terms: 'other', fields: { at: 3 } })]);
        const both = (usual: number): [string, number][] => [
          ['rare', 1],
          ['usual', usual],
        ];
        expectEqual(await counted({ maxCount: 9 }), both(3), 'in all rows');
        expectEqual(await counted({ maxCount: 2 }), both(2), 'up to two');
        expectEqual(await counted({ maxCount: 1 }), both(1), 'up to one');
        await collection.optimize();
        expectEqual(await counted({ maxCount: 9 }), both(3), 'in all rows after maintenance');
        const filter = parseFilter('at > 0');
        expectEqual(await counted({ maxCount: 9, filter }), [['usual', 2]], 'within a filter');
        const nowhere = { sourcePrefix: 'file://local/g', maxCount: 9 };
        expectEqual(await counted(nowhere), [], 'below a folder without rows');
        expectEqual([...(await collection.frequencies([], { maxCount: 9 }))], [], 'without terms');
      }),
  },
  {
    id: 'counts-groups',
    title: 'counts the rows of each group of a scope only',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        expectEqual(await groupsOf(collection, 'one'), [], 'groups of an empty collection');
        await put(collection, [
          row('a', 'first', { scope: 'one' }),
          row('b', 'first', { scope: 'one', ordinal: 1 }),
          row('c', 'second', { scope: 'one' }),
          row('d', 'third', { scope: 'one1' }),
        ]);
        await put(collection, [row('e', 'second', { scope: 'one' })]);
        expectEqual(
          await groupsOf(collection, 'one'),
          [
            ['first', 2],
            ['second', 1],
          ],
          'groups of the scope',
        );
      }),
  },
  {
    id: 'other-scopes',
    title: 'lists the scopes other than the given ones',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const others = async (...known: string[]): Promise<string[]> =>
          (await collection.otherScopes(known)).sort();
        expectEqual(await others(), [], 'scopes of an empty collection');
        const scopes = ["o'ne", 'one1', 'two'];
        await put(
          collection,
          scopes.flatMap((scope) =>
            [0, 1, 2].map((at) => row(`${scope} ${at}`, `${scope} ${at}`, { scope })),
          ),
        );
        expectEqual(await others(), scopes, 'all scopes');
        expectEqual(await others('one1', 'never there'), ["o'ne", 'two'], 'besides one');
        await collection.removeScope('two');
        expectEqual(await others("o'ne"), ['one1'], 'after the removal of another scope');
        expectEqual(await others(...scopes), [], 'besides all');
      }),
  },
  {
    id: 'removes-a-scope',
    title: 'removes only the rows of the given scope',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(
          collection,
          ['one', 'one1', 'One', 'two'].map((scope) => row(scope, scope, { scope })),
        );
        await collection.removeScope('one');
        await collection.removeScope('never there');
        expectEqual(await searchIds(collection, {}), ['One', 'one1', 'two'], 'remaining rows');
      }),
  },
];

/** Returns all groups of a scope with their row counts, by name. */
async function groupsOf(collection: Collection, scope: string): Promise<[string, number][]> {
  const all = new Map<string, number>();
  await collection.groups(scope, (groups) => {
    for (const [group, rows] of groups) all.set(group, (all.get(group) ?? 0) + rows);
  });
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1));
}
