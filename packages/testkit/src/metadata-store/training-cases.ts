import type { TrainedState } from '@trove/core/model';
import type { MetadataStore } from '@trove/core/store';

import { expect, expectEqual } from '../expect.js';
import type { MetadataStoreCase } from './subject.js';

const embeddingName = 'lexical/v2/512';
/** More than a page of any database. */
const stateBytes = 300_000;

/** Requirements on what is kept of what embedders have learned. */
export const trainingCases: readonly MetadataStoreCase[] = [
  {
    id: 'fit-kept',
    parts: ['training'],
    title: 'What an embedder learned is kept byte by byte, for who opens the store later too.',
    run: async ({ open }) => {
      const [store, other] = [await open(), await open()];
      expectEqual(await store.training.get(embeddingName), null, 'before anything was learned');
      const fit = newTrainedState('a1', 7);
      await store.training.replace(embeddingName, fit, null);
      const kept = await other.training.get(embeddingName);
      expectEqual(kept?.id, 'a1', 'the id');
      expect(kept?.state instanceof Uint8Array, 'the state must be a Uint8Array');
      expect(Buffer.from(kept.state).equals(fit.state), 'the state is another one');
    },
  },
  {
    id: 'fit-id',
    parts: ['training'],
    title: 'Its id alone is the same.',
    run: async ({ open }) => {
      const store = await open();
      expectEqual(
        await store.training.currentId(embeddingName),
        null,
        'before anything was learned',
      );
      await store.training.replace(embeddingName, newTrainedState('a1', 7), null);
      expectEqual(await store.training.currentId(embeddingName), 'a1', 'the id');
    },
  },
  {
    id: 'fit-of-an-embedding',
    parts: ['training'],
    title: 'Each embedding has its own.',
    run: async ({ open }) => {
      const store = await open();
      await store.training.replace(embeddingName, newTrainedState('a1', 7), null);
      expectEqual(await idOf(store, 'other/1'), null, 'another embedding');
      await store.training.replace('other/1', newTrainedState('b1', 8), null);
      expectEqual(await idOf(store, embeddingName), 'a1', 'the first');
    },
  },
  {
    id: 'fit-replaced',
    parts: ['training'],
    title: 'It is replaced by whoever knows it, and by nobody else.',
    run: async ({ open }) => {
      const store = await open();
      await store.training.replace(embeddingName, newTrainedState('a1', 7), null);
      await store.training.replace(embeddingName, newTrainedState('a2', 8), 'a1');
      expectEqual(await idOf(store, embeddingName), 'a2', 'once it was replaced');
      expectEqual(
        (await store.training.get(embeddingName))?.state[0],
        8,
        'the first byte of what replaced it',
      );
      await store.training.replace(embeddingName, newTrainedState('a3', 9), 'a1');
      expectEqual(await idOf(store, embeddingName), 'a2', 'replaced by who knew an older one');
    },
  },
  {
    id: 'fit-first-wins',
    parts: ['training'],
    title: 'Of several that learn at once, one wins, and all see it.',
    run: async ({ open }) => {
      const stores = await Promise.all([open(), open(), open(), open()]);
      await Promise.all(
        stores.map((store, at) =>
          store.training.replace(embeddingName, newTrainedState(`a${at}`, at), null),
        ),
      );
      const seen = await Promise.all(stores.map((store) => store.training.get(embeddingName)));
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
      await store?.training.replace(embeddingName, newTrainedState('late', 200), null);
      expectEqual((await store?.training.get(embeddingName))?.id, first.id, 'after a late one');
    },
  },
];

async function idOf({ training }: MetadataStore, embedding: string): Promise<string | null> {
  return (await training.get(embedding))?.id ?? null;
}

function newTrainedState(id: string, byte: number): TrainedState {
  return { id, state: Uint8Array.from({ length: stateBytes }, (_, at) => (byte + at) % 256) };
}
