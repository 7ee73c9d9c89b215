import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Caller, type CallInput } from './support/caller.js';
import {
  makeWorld,
  removeWorld,
  startReal,
  type Running,
  type World,
} from './support/real-server.js';
import { call } from './support/server.js';

const test = suite('graph clients of the original');
const caller = new Caller();
let world: World;
let server: Running;

const ask = (operationId: string, input?: CallInput) =>
  caller.call(server.host, operationId, input);

const animals = {
  documents: [
    'Foxes\nFoxes are canids. A fox eats mice.',
    'Mice\nMice are rodents that eat grain.',
  ],
  ids: ['fox', 'mouse'],
  metadatas: [{ year: 2020 }, { year: 2021, note: null }],
  triplets: [[['fox', 'eats', 'mice']], []],
  extract_triplets: null,
};
const inZoo = { query: { graph_name: 'zoo' } };

test.before(async () => {
  world = await makeWorld();
  server = await startReal(world);
  const { status, data } = await ask('addDocuments', { ...inZoo, body: animals });
  assert.is(status, 200, JSON.stringify(data));
});
test.after(async () => {
  await server.close();
  await removeWorld(world);
});

test('answers a question in the format of the original', async () => {
  const body = {
    question: 'What does the fox eat?',
    filter: 'metadata["year"] in [2020, 2021] && metadata["year"] >= 2020',
    use_reranking: null,
  };
  const { data } = await ask('queryGraph', { ...inZoo, body });
  const detail = data['retrieval_detail'] as Record<string, { readonly id: string }[]>;
  const ids = (list: string) => detail[list]?.map(({ id }) => id);
  assert.equal(detail['entity_ids'], ids('entity_search_results'));
  assert.equal(detail['relation_ids'], ids('relation_search_results'));
  const sizes = ['entity_ids', 'entity_texts', 'entity_scores'].map((key) => detail[key]?.length);
  assert.equal(new Set(sizes).size, 1);
  const evicted = data['eviction_result'] as Record<string, unknown>;
  assert.equal(Object.keys(evicted), ['occurred', 'before_count', 'after_count']);
  const classic = await call(server.host, '/query?graph_name=zoo', {
    method: 'POST',
    headers: { 'trove-graph-answers': 'classic' },
    body,
  });
  const { query_entities, retrieved_passages } = classic.body as Record<string, string[]>;
  assert.equal(query_entities?.[0], 'fox');
  assert.equal(retrieved_passages?.[0], animals.documents[0]);
});

test('the default overlap depends on the chunk size', async () => {
  const file = join(world.root, 'overlap.md');
  await writeFile(file, 'A sentence about foxes. '.repeat(40));
  const body = { sources: [file], chunk_size: 150, graph_name: 'overlap', chunk_overlap: null };
  const { status, data } = await ask('importSources', { body });
  assert.equal([status, data['success']], [200, true], JSON.stringify(data));
  const tooLarge = await ask('importSources', { body: { ...body, chunk_overlap: 100 } });
  assert.is(tooLarge.status, 422);
});

test.run();
