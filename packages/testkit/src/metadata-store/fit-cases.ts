import type { Fit } from '@trove/core/model';
import { expect, expectEqual } from '../expect.js';
import type { MetadataStoreCase } from './subject.js';

const EMBEDDING = 'lexical/v2/512';
/** More than a page of any database. */
const LENGTH = 300_000;

/** Requirements on what is kept of what embedders have learned. */
export const fitCases: readonly MetadataStoreCase[] = [
  {
    id: 'fit-kept',
    title: 'What an embedder learned is kept byte by byte, for who opens the store later too.',
    run: async ({ open }) => {
      const [store, other] = [await open(), await open()];
      expectEqual(await store.fit(EMBEDDING), null, 'before anything was learned');
      const fit = newFit('a1', 7);
      await store.replaceFit(EMBEDDING, fit, null);
      const kept = await other.fit(EMBEDDING);
      expectEqual(kept?.id, 'a1', 'the id');
      expect(kept?.state instanceof Uint8Array, 'the state must be a Uint8Array');
      expect(Buffer.from(kept.state).equals(fit.state), 'the state is another one');
    },
  },
  {
    id: 'fit-id',
    title: 'Its id alone is the same.',
    run: async ({ open }) => {
      const store = await open();
      expectEqual(await store.fitId(EMBEDDING), null, 'before anything was learned');
      await store.replaceFit(EMBEDDING, newFit('a1', 7), null);
      expectEqual(await store.fitId(EMBEDDING), 'a1', 'the id');
    },
  },
  {
    id: 'fit-of-an-embedding',
    title: 'Each embedding has its own.',
    run: async ({ open }) => {
      const store = await open();
      await store.replaceFit(EMBEDDING, newFit('a1', 7), null);
      expectEqual(await idOf(store, 'other/1'), null, 'another embedding');
      await store.replaceFit('other/1', newFit('b1', 8), null);
      expectEqual(await idOf(store, EMBEDDING), 'a1', 'the first');
    },
  },
  {
    id: 'fit-replaced',
    title: 'It is replaced by whoever knows it, and by nobody else.',
    run: async ({ open }) => {
      const store = await open();
      await store.replaceFit(EMBEDDING, newFit('a1', 7), null);
      await store.replaceFit(EMBEDDING, newFit('a2', 8), 'a1');
      expectEqual(await idOf(store, EMBEDDING), 'a2', 'once it was replaced');
      expectEqual((await store.fit(EMBEDDING))?.state[0], 8, 'the first byte of what replaced it');
      await store.replaceFit(EMBEDDING, newFit('a3', 9), 'a1');
      expectEqual(await idOf(store, EMBEDDING), 'a2', 'replaced by who knew an older one');
    },
  },
  {
    id: 'fit-first-wins',
    title: 'Of several that learn at once, one wins, and all see it.',
    run: async ({ open }) => {
      const stores = await Promise.all([open(), open(), open(), open()]);
      await Promise.all(
        stores.map((store, at) => store.replaceFit(EMBEDDING, newFit(`a${at}`, at), null)),
      );
      const seen = await Promise.all(stores.map((store) => store.fit(EMBEDDING)));
      const [first] = seen;
      expect(first !== null && first !== undefined, 'nobody has won');
      for (const fit of seen) {
        expectEqual(
          [fit?.id, fit?.state[0]],
          [first.id, Number(first.id.slice(1))],
          'what is seen',
        );
      }
      const [store] = stores;
      await store?.replaceFit(EMBEDDING, newFit('late', 200), null);
      expectEqual((await store?.fit(EMBEDDING))?.id, first.id, 'after a late one');
    },
  },
];

async function idOf(
  store: { fit(embedding: string): Promise<Fit | null> },
  embedding: string,
): Promise<string | null> {
  return (await store.fit(embedding))?.id ?? null;
}

function newFit(id: string, byte: number): Fit {
  return { id, state: Uint8Array.from({ length: LENGTH }, (_, at) => (byte + at) % 256) };
}
