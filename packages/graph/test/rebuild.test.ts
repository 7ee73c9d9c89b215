import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expectError } from '@trove/testkit';
import type { ReaderText, SourceReader } from '../src/index.js';
import { World } from './support/world.js';

const test = suite('rebuilding');

const texts = (word: string, count: number) => ({
  documents: Array.from({ length: count }, (_, n) => `The ${word} number ${n} is here.`),
  ids: Array.from({ length: count }, (_, n) => `${n}`),
  triplets: Array.from({ length: count }, (_, n) => [[word, 'has number', `N${n}`]]),
});

/** A source that waits in the middle and fails on request. */
function slowReader() {
  let go = (): void => undefined;
  let begun = (): void => undefined;
  let failure: Error | null = null;
  const started = new Promise<void>((done) => (begun = done));
  const released = new Promise<void>((done) => (go = done));
  const reader: SourceReader = {
    texts: async function* (): AsyncGenerator<ReaderText> {
      for (let n = 0; n < 200; n++)
        yield { source: `file://local/${n}`, title: null, text: `new ${n}` };
      begun();
      await released;
      if (failure !== null) throw failure;
      yield { source: 'file://local/end', title: null, text: 'new end' };
    },
  };
  return {
    reader,
    started,
    release: (error: Error | null = null) => {
      failure = error;
      go();
    },
  };
}

async function idsOf(world: World, graph: string): Promise<string[]> {
  const { graphs, close } = await world.open();
  const { documents } = await graphs.documents({ graph_name: graph, top_k: 1000 });
  await close();
  return documents.map(({ text }) => text);
}

test('answers from the old graph during a rebuild and rejects a second one', async () => {
  const world = new World();
  const slow = slowReader();
  const { graphs, close } = await world.open({ reader: slow.reader });
  await graphs.addDocuments('g', texts('old', 3));
  const building = graphs.importSources({ sources: ['/x'], graph_name: 'g' });
  await slow.started;
  await expectError(graphs.addDocuments('g', texts('other', 1)), 'graph_busy', 'a second one');
  await expectError(graphs.deleteGraph('g'), 'graph_busy', 'deleting it');
  assert.is((await graphs.stats('g')).passage_count, 3);
  const { retrieved_passages: found } = await graphs.query('g', { question: 'old number 1?' });
  assert.match(found[0]?.text ?? '', 'old');
  slow.release();
  assert.is((await building).num_chunks, 201);
  assert.is((await graphs.stats('g')).passage_count, 201);
  await close();
});

test('keeps the old graph after a failed, aborted or killed rebuild', async () => {
  const world = new World();
  for (const end of ['fails', 'is aborted', 'dies'] as const) {
    const slow = slowReader();
    const { graphs, close } = await world.open({ reader: slow.reader });
    await graphs.addDocuments('g', texts('old', 3));
    const abort = new AbortController();
    const { signal } = abort;
    const building = graphs.importSources({ sources: ['/x'], graph_name: 'g' }, { signal });
    await slow.started;
    if (end === 'dies') {
      // The process ends silently, so its lease stays.
      building.catch(() => undefined);
    } else {
      if (end === 'is aborted') abort.abort(new Error('enough'));
      slow.release(end === 'fails' ? new Error('broken') : null);
      const [ended] = await Promise.allSettled([building]);
      assert.is(ended.status, 'rejected', `it ${end}`);
    }
    assert.is((await graphs.stats('g')).passage_count, 3);
    await close();
  }
  const left = await idsOf(world, 'g');
  assert.ok(left.every((text) => text.includes('old')));
});

test('removes replaced generations, and all collections after a deletion', async () => {
  const world = new World();
  const { graphs, sharedServices, close } = await world.open();
  for (const word of ['one', 'two', 'three']) await graphs.addDocuments('g', texts(word, 300));
  const spec = { dimension: 1, embedding: 'none' };
  const collection = await sharedServices.index.collection({ name: 'g_passages', ...spec });
  // The sweeper forgets a generation after it has removed the rows.
  for (;;) {
    const obsolete = await sharedServices.store.graphs.obsoleteGenerations();
    if ((await collection.count()) === 300 && obsolete.length === 0) break;
    await new Promise((next) => setImmediate(next));
  }
  await graphs.deleteGraph('g');
  assert.equal(await sharedServices.index.collections(), []);
  await graphs.addDocuments('g', texts('again', 2));
  assert.is((await graphs.stats('g')).passage_count, 2);
  await close();
});

test('shares a graph between two processes', async () => {
  const world = new World();
  const [one, other] = [await world.open(), await world.open()];
  await one.graphs.addDocuments('g', texts('first', 3));
  assert.is((await other.graphs.documents({ graph_name: 'g' })).total, 3);
  await other.graphs.addDocuments('g', texts('second', 5));
  const { documents, total } = await one.graphs.documents({ graph_name: 'g' });
  assert.is(total, 5);
  assert.match(documents[0]?.text ?? '', 'second');
  await other.graphs.deleteGraph('g');
  await expectError(one.graphs.documents({ graph_name: 'g' }), 'not_found', 'a deleted graph');
  await Promise.all([one.close(), other.close()]);
});

test.run();
