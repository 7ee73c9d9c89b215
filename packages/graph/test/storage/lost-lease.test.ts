import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAbortController, type SharedServices } from '@trove/runtime';
import { expectError } from '@trove/testkit';
import { GenerationNames } from '../../src/storage/generation-names.js';
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

/** Simulates another process that takes over and sweeps whenever the lease matters. */
function losing({ store, ...rest }: SharedServices): SharedServices {
  const lose = async (graph: string, generation: string) => {
    await store.graphs.abandon(graph, generation);
    await store.graphs.deleteGeneration(generation);
    return false;
  };
  return { ...rest, store: { ...store, graphs: { ...store.graphs, promote: lose, empty: lose } } };
}

test('leaves no rows after a lost lease and deletes nothing without one', async () => {
  const { graphs, sharedServices, close } = await new World().open();
  await graphs.addDocuments('kept', { documents: ['Kept.'], extract_triplets: false });
  const storage = new GraphStorage(losing(sharedServices), 'machine');
  const { signal } = createAbortController();
  const building = storage.rebuild('g', signal, (staging) => staging.add([passage], signal));
  await expectError(building, 'graph_busy', 'switching without a lease');
  const spec = { name: 'g_passages', dimension: 1, embedding: 'none' };
  assert.is(await (await sharedServices.index.collection(spec)).count(), 0);
  await expectError(storage.delete('kept'), 'graph_busy', 'deleting without a lease');
  assert.is((await graphs.stats('kept')).passage_count, 1);
  await storage.sweeper.idle();
  await close();
});

test('frees a graph at once after its builder was killed', async () => {
  const { sharedServices, close } = await new World().open();
  const storage = new GraphStorage(sharedServices, 'machine');
  const { signal } = createAbortController();
  const builder = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: 'pipe' });
  const [space] = (await new GenerationNames('machine').create()).split('.');
  const build = (graph: string) =>
    storage.rebuild(graph, signal, (staging) => staging.add([passage], signal));
  for (const [graph, holder] of [
    ['killed', `${space}.${builder.pid}.1.a`],
    ['reused', `${space}.${process.pid}.1.b`],
    ['elsewhere', `other.${builder.pid}.1.c`],
  ] as const)
    await sharedServices.store.graphs.stage(graph, holder, 60_000);
  await expectError(build('killed'), 'graph_busy', 'while its builder lives');
  builder.kill('SIGKILL');
  await once(builder, 'exit');
  assert.is((await build('killed')).passages, 1);
  assert.is((await build('reused')).passages, 1);
  await expectError(build('elsewhere'), 'graph_busy', 'a builder of another machine');
  await storage.sweeper.idle();
  await close();
});

test.run();
