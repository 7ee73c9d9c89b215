import type { TrainedState } from '@trove/core/model';
import type { MetadataStore } from '@trove/core/store';

import { expect, expectEqual } from '../expect.js';
import type { MetadataStoreCase } from './subject.js';

const embeddingName = 'lexical/v2/512';
/** More than a page of any database. */
const stateBytes = 300_000;

/** Requirements on trained state of embedders. */
export const trainingCases: readonly MetadataStoreCase[] = [
  {
    id: 'trained-state-kept',
    parts: ['training'],
    title: 'stores trained state byte by byte for all stores, even later ones',
    run: async ({ open }) => {
      const [store, other] = [await open(), await open()];
      expectEqual(await store.training.get(embeddingName), null, 'before any training');
      const fit = newTrainedState('a1', 7);
      await store.training.replace(embeddingName, fit, null);
      const kept = await other.training.get(embeddingName);
      expectEqual(kept?.id, 'a1', 'the id');
      expect(kept?.state instanceof Uint8Array, 'the state must be a Uint8Array');
      expect(Buffer.from(kept.state).equals(fit.state), 'the state is another one');
    },
  },
  {
    id: 'trained-state-id',
    parts: ['training'],
    title: 'keeps an id whose state differs',
    run: async ({ open }) => {
      const store = await open();
      expectEqual(await store.training.currentId(embeddingName), null, 'before any training');
      await store.training.replace(embeddingName, newTrainedState('a1', 7), null);
      expectEqual(await store.training.currentId(embeddingName), 'a1', 'the id');
    },
  },
  {
    id: 'trained-state-per-embedding',
    parts: ['training'],
    title: 'keeps one trained state per embedding',
    run: async ({ open }) => {
      const store = await open();
      await store.training.replace(embeddingName, newTrainedState('a1', 7), null);
      expectEqual(await idOf(store, 'other/1'), null, 'another embedding');
      await store.training.replace('other/1', newTrainedState('b1', 8), null);
      expectEqual(await idOf(store, embeddingName), 'a1', 'the first');
    },
  },
  {
    id: 'trained-state-replaced',
    parts: ['training'],
    title: 'replaces trained state only for a caller that knows the current one',
    run: async ({ open }) => {
      const store = await open();
      await store.training.replace(embeddingName, newTrainedState('a1', 7), null);
      await store.training.replace(embeddingName, newTrainedState('a2', 8), 'a1');
      expectEqual(await idOf(store, embeddingName), 'a2', 'after the replacement');
      expectEqual(
        (await store.training.get(embeddingName))?.state[0],
        8,
        'the first byte of the replacement',
      );
      await store.training.replace(embeddingName, newTrainedState('a3', 9), 'a1');
      expectEqual(await idOf(store, embeddingName), 'a2', 'replacing with an outdated id');
    },
  },
  {
    id: 'first-training-wins',
    parts: ['training'],
    title: 'lets one of several concurrent trainings win, and all see it',
    run: async ({ open }) => {
      const stores = await Promise.all([open(), open(), open(), open()]);
      await Promise.all(
        stores.map((store, at) =>
          store.training.replace(embeddingName, newTrainedState(`a${at}`, at), null),
        ),
      );
      const seen = await Promise.all(stores.map((store) => store.training.get(embeddingName)));
      const [first] = seen;
      expect(first !== null && first !== undefined, 'no training won');
      for (const fit of seen) {
        expectEqual(
          [fit?.id, fit?.state[0]],
          [first.id, Number(first.id.slice(1))],
          'the visible state',
        );
      }
      const [store] = stores;
      await store?.training.replace(embeddingName, newTrainedState('late', 200), null);
      expectEqual(
        (await store?.training.get(embeddingName))?.id,
        first.id,
        'after a late training',
      );
    },
  },
];

async function idOf({ training }: MetadataStore, embedding: string): Promise<string | null> {
  return (await training.get(embedding))?.id ?? null;
}

function newTrainedState(id: string, byte: number): TrainedState {
  return { id, state: Uint8Array.from({ length: stateBytes }, (_, at) => (byte + at) % 256) };
}
