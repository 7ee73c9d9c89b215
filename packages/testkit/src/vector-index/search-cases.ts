import type { ConformanceCase } from '../case.js';
import { expect, expectEqual } from '../expect.js';
import { dense, ids, keysById, sparse } from './queries.js';
import { angle, axis, live, put, row, withCollection, type VectorIndexSubject } from './subject.js';

/** Stores differ in the precision of their numbers. */
const tolerance = 1e-3;

/** Requirements on dense and sparse candidates. */
export const searchCases: readonly ConformanceCase<VectorIndexSubject>[] = [
  {
    id: 'dense-by-cosine',
    title: 'ranks dense candidates by cosine similarity, which is their score',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const angles = [60, 0, 180, 90, 30];
        await put(
          collection,
          angles.map((degrees, ordinal) =>
            row(`at ${degrees}`, 'group', { ordinal, vector: angle(degrees) }),
          ),
        );
        const found = await dense(collection, axis(0));
        expectEqual(ids(found), ['at 0', 'at 30', 'at 60', 'at 90', 'at 180'], 'order');
        const cosines = [0, 30, 60, 90, 180].map((degrees) => Math.cos((degrees * Math.PI) / 180));
        found.forEach(({ score, group }, at) => {
          const off = Math.abs(score - (cosines[at] ?? NaN));
          expect(
            off < tolerance,
            `score of ${found[at]?.id}: expected ${cosines[at]}, got ${score}`,
          );
          expectEqual(group, 'group', 'group of a candidate');
        });
      }),
  },
  {
    id: 'without-vector',
    title: 'leaves rows without a vector only out of the dense candidates',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(collection, [
          row('with', 'group', { vector: angle(180) }),
          row('without', 'group', { ordinal: 1, vector: null }),
        ]);
        expectEqual(ids(await dense(collection)), ['with'], 'dense candidates');
        expectEqual((await sparse(collection, ['common'])).length, 2, 'sparse candidates');
      }),
  },
  {
    id: 'sparse-by-bm25',
    title: 'ranks sparse candidates by rarity, frequency and density of the terms',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const filler = (count: number): string => Array(count).fill('filler').join(' ');
        await put(collection, [
          row('rare', 'rare', { terms: `rare ${filler(9)}` }),
          row('twice', 'twice', { terms: `usual usual ${filler(8)}` }),
          row('once', 'once', { terms: `usual ${filler(9)}` }),
          row('long', 'long', { terms: `usual ${filler(40)}` }),
        ]);
        const found = await sparse(collection, ['rare', 'usual']);
        expectEqual(ids(found), ['rare', 'twice', 'once', 'long'], 'order');
      }),
  },
  {
    id: 'sparse-repeats',
    title: 'counts a repeated term several times',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(collection, [
          row('a', 'a', { terms: 'apple filler filler filler' }),
          row('b', 'b', { terms: 'berry berry filler' }),
        ]);
        expectEqual(ids(await sparse(collection, ['apple', 'berry'])), ['b', 'a'], 'asked once');
        const twice = ids(await sparse(collection, ['apple', 'berry', 'apple']));
        expectEqual(twice, ['a', 'b'], 'with a repeated term');
      }),
  },
  {
    id: 'sparse-sums',
    title: 'scores several terms with the sum of their scores',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(collection, [
          row('both', 'both', { terms: 'apple berry berry filler' }),
          row('apple', 'apple', { terms: 'apple filler' }),
          row('berry', 'berry', { terms: 'berry filler filler' }),
          row('other', 'other', { terms: 'filler' }),
        ]);
        const scoreOf = async (...terms: string[]): Promise<number> => {
          const found = await sparse(collection, terms);
          return found.find(({ id }) => id === 'both')?.score ?? NaN;
        };
        const whole = await scoreOf('apple', 'berry', 'berry');
        const sum = (await scoreOf('apple')) + (await scoreOf('berry', 'berry'));
        expect(Math.abs(sum - whole) < tolerance, `expected ${whole}, got ${sum}`);
      }),
  },
  {
    id: 'sparse-any-term',
    title: 'finds rows with any of the terms, and none without terms',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(collection, [
          row('a', 'a', { terms: 'apple' }),
          row('b', 'b', { terms: 'berry' }),
          row('c', 'c', { terms: 'cherry' }),
        ]);
        expectEqual(ids(await sparse(collection, ['apple', 'berry'])).sort(), ['a', 'b'], 'found');
        expectEqual(await sparse(collection, ['unknown']), [], 'found for an unknown term');
        expectEqual(await sparse(collection, ['appl']), [], 'found for part of a term');
        expectEqual(await sparse(collection, ['APPLE']), [], 'found for another spelling');
      }),
  },
  {
    id: 'pairs-add',
    title: 'adds the weighted score of pairs to that of the terms',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(collection, [
          row('pair', 'a', { terms: 'red wine', pairs: 'red_wine' }),
          row('apart', 'b', { terms: 'wine red', pairs: 'wine_red' }),
        ]);
        const score = async (pairWeight: number): Promise<number> => {
          const asked = { sparse: { terms: ['red', 'wine'], pairs: ['red_wine'] }, pairWeight };
          const found = await sparse(collection, [], asked);
          return found.find(({ id }) => id === 'pair')?.score ?? NaN;
        };
        const [none, half, whole] = [await score(0), await score(0.5), await score(1)];
        expect(half > none, `score with pairs: expected more than ${none}, got ${half}`);
        const off = Math.abs(whole - none - 2 * (half - none));
        expect(off < tolerance, `scores for weights 0, 0.5 and 1: ${none}, ${half}, ${whole}`);
      }),
  },
  {
    id: 'pairs-find-nothing',
    title: 'finds no row by a pair alone, which may be a collision',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(collection, [
          row('word', 'a', { terms: 'red wine', pairs: 'p1' }),
          row('clash', 'b', { terms: 'white bread', pairs: 'p1' }),
        ]);
        const asked = { sparse: { terms: ['wine'], pairs: ['p1'] } };
        expectEqual(ids(await sparse(collection, [], asked)), ['word'], 'found');
      }),
  },
  {
    id: 'arms-apart',
    title: 'returns only the requested kinds of candidates',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(collection, [row('a', 'a', { vector: axis(0), terms: 'apple' })]);
        const ask = { pairWeight: 0.2, candidates: 10, signal: live() };
        const sizes = async (query: object): Promise<number[]> => {
          const found = await collection.search({ ...ask, ...query });
          return [found.dense.length, found.sparse.length];
        };
        const terms = { sparse: { terms: ['apple'], pairs: [] } };
        expectEqual(await sizes({ vector: axis(0) }), [1, 0], 'for a vector');
        expectEqual(await sizes(terms), [0, 1], 'for terms');
        expectEqual(await sizes({ vector: axis(0), ...terms }), [1, 1], 'for both');
        expectEqual(await sizes({}), [0, 0], 'for neither');
      }),
  },
  {
    id: 'one-key',
    title: 'gives a row the same key in both kinds and keeps it during maintenance',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        await put(
          collection,
          ['a', 'b', 'c'].map((id, at) => row(id, id, { vector: axis(at), terms: `common ${id}` })),
        );
        const bestFor = async (id: string, at: number): Promise<unknown[]> => {
          const found = await collection.search({
            vector: axis(at),
            sparse: { terms: [id], pairs: [] },
            pairWeight: 0.2,
            candidates: 1,
            signal: live(),
          });
          return [found.dense[0]?.key, found.sparse[0]?.key];
        };
        const keyOf = await keysById(collection);
        expectEqual(await bestFor('b', 1), [keyOf('b'), keyOf('b')], 'keys of one row');
        await collection.optimize();
        const [hit] = await collection.fetch([keyOf('b')]);
        expectEqual(hit?.id, 'b', 'under its key after maintenance');
      }),
  },
  {
    id: 'best-candidates',
    title: 'returns the requested number of candidates, best first',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const rows = Array.from({ length: 50 }, (_, at) =>
          row(`r${String(at).padStart(2, '0')}`, `group ${at % 7}`, {
            ordinal: at,
            vector: angle(179 - at * 3),
            terms: ['word', ...Array<string>(50 - at).fill('filler')].join(' '),
          }),
        );
        await put(collection, rows);
        const best = ['r49', 'r48', 'r47'];
        expectEqual(ids(await dense(collection, axis(0), { candidates: 3 })), best, 'dense');
        expectEqual(ids(await sparse(collection, ['word'], { candidates: 3 })), best, 'sparse');
      }),
  },
  {
    id: 'equal-scores',
    title: 'orders equal scores the same for any requested number',
    run: (subject) =>
      withCollection(subject, async (collection) => {
        const names = Array.from({ length: 12 }, (_, at) => `r${(at * 5) % 12}`);
        await put(
          collection,
          names.map((name) => row(name, name, { terms: 'word', vector: axis(0) })),
        );
        const first = names.sort().slice(0, 3);
        for (const candidates of [3, 4, 9]) {
          const near = ids(await dense(collection, axis(0), { candidates })).sort();
          expectEqual(near.slice(0, 3), first, `dense of ${candidates}`);
          const said = ids(await sparse(collection, ['word'], { candidates })).sort();
          expectEqual(said.slice(0, 3), first, `sparse of ${candidates}`);
        }
      }),
  },
];
