import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { World } from './support.js';

const count = 9;

export const law: SyncLaw = {
  schemes: ['mongodb', 'mongodb+srv', 'mongo'],
  async start() {
    const world = await World.make();
    const { shop } = world;
    const notes = new Map(Array.from({ length: count }, (_, id) => [id, markedText()]));
    const store = (): void => {
      shop.put(
        'people',
        [...notes].map(([_id, note]) => ({ _id, note, updatedAt: new Date() })),
      );
    };
    shop.create('system.views');
    store();
    shop.create('shown', 'view', { viewOn: 'people', pipeline: [{ $unset: ['updatedAt'] }] });
    return {
      target: world.target(),
      config: { password: 'secret' },
      content: () =>
        Object.fromEntries(
          ['people', 'shown'].flatMap((name) => [
            [`${name}/documents.jsonl`, marksIn([...notes.values()])],
            [`${name}/schema.json`, []],
          ]),
        ),
      changeAll: () => {
        for (const [id, note] of notes) notes.set(id, nextEdition(note));
        store();
      },
      removeThird: () => {
        for (const id of everyThird(notes.keys())) {
          notes.delete(id);
          shop.remove('people', { _id: id });
        }
      },
      [Symbol.asyncDispose]: () => world.remove(),
    };
  },
};
