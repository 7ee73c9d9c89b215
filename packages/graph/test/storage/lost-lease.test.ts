import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { abortController, type Foundation } from '@trove/runtime';
import { expectError } from '@trove/testkit';
import { GraphStorage } from '../../src/storage/graph-storage.js';
import { World } from '../support/world.js';

const test = suite('lost leases');

const passage = {
  id: 'a',
  title: null,
  text: 'A text.',
  metadata: {},
  triplets: [],
  origin: 'given',
} as const;

/** As if another process had taken over and swept what was there, whenever the lease counts. */
function losing({ store, ...rest }: Foundation): Foundation {
  const lose = async (graph: string, generation: string) => {
    await store.abandonGraph(graph, generation);
    await store.forgetGeneration(generation);
    return false;
  };
  return { ...rest, store: { ...store, switchGraph: lose, emptyGraph: lose } };
}

test('a builder that lost its lease leaves no rows, and nothing is deleted without one', async () => {
  const { graphs, foundation, close } = await new World().open();
  await graphs.addDocuments('kept', { documents: ['Kept.'], extract_triplets: false });
  const storage = new GraphStorage(losing(foundation));
  const { signal } = abortController();
  const building = storage.rebuild('g', signal, (staging) => staging.add([passage], signal));
  await expectError(building, 'graph_busy', 'switching without a lease');
  const spec = { name: 'g_passages', dimension: 1, embedding: 'none' };
  assert.is(await (await foundation.index.collection(spec)).count(), 0);
  await expectError(storage.delete('kept'), 'graph_busy', 'deleting without a lease');
  assert.is((await graphs.stats('kept')).passage_count, 1);
  await storage.sweeper.settled();
  await close();
});

test.run();
