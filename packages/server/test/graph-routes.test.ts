import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { errorsOf } from '@trove/operations';
import { listen } from '@trove/test-support/listen.js';
import { apiRoutes, routes as allRoutes } from '../src/routes/table.js';
import { version } from '../src/version.js';
import { Caller, type CallInput } from './support/caller.js';
import { notHere, ofTheHost } from './support/promised.js';
import {
  makeWorld,
  removeWorld,
  startReal,
  type Running,
  type World,
} from './support/real-server.js';
import { call } from './support/server.js';

/* Calls every graph operation and provokes every documented error on a real server. */

const test = suite('graph routes');
const routes = allRoutes.filter(({ tag }) => tag === 'Graph');
const caller = new Caller();
let world: World;
let server: Running;

const ask = (operationId: string, input?: CallInput) =>
  caller.call(server.host, operationId, input);

async function expectError(
  status: number,
  code: string,
  operationId: string,
  input?: CallInput,
): Promise<string> {
  const { status: found, headers, data } = await ask(operationId, input);
  assert.equal([found, headers.get('x-error-code')], [status, code], JSON.stringify(data));
  return JSON.stringify(data['detail']);
}

const animals = {
  documents: [
    'Foxes\nFoxes are canids. A fox eats mice.',
    'Mice\nMice are rodents that eat grain.',
    'Owls\nOwls hunt mice at night.',
  ],
  ids: ['fox', 'mo/use', 'owl'],
  metadatas: [{ year: 2020 }, { year: 2021, place: { name: 'field' } }, { year: 2022 }],
  triplets: [
    [['fox', 'eats', 'mice']],
    [['mice', 'eat', 'grain']],
    [{ subject: 'Owl', predicate: 'hunts', object: 'Mice' }],
  ],
  extract_triplets: false,
};
const inZoo = { query: { graph_name: 'zoo' } };

test.before(async () => {
  world = await makeWorld();
  server = await startReal(world);
});
test.after(async () => {
  await server.close();
  await removeWorld(world);
});

test('returns its health, its settings and no graphs at first', async () => {
  const health = await call(server.host, '/health', { headers: { authorization: '' } });
  assert.equal(health.body, { status: 'ok', version });
  assert.is((await ask('graphHealth')).status, 200);
  const { data } = await ask('graphSettings');
  assert.equal(
    [data['llm_model'], data['embedding_provider'], data['openai_api_key_set'], data['milvus_db']],
    ['rules', 'lexical', false, 'default'],
  );
  assert.is(data['default_graph'], 'default');
  assert.equal((await ask('listGraphs')).data, { graphs: [] });
});

test('builds a graph from texts and lists it', async () => {
  const { data } = await ask('addDocuments', { ...inZoo, body: animals });
  assert.equal(data, {
    num_documents: 3,
    num_entities: 4,
    num_relations: 3,
    document_ids: animals.ids,
    errors: [],
  });
  const { graphs } = (await ask('listGraphs')).data;
  assert.equal(graphs, [
    {
      name: 'zoo',
      entity_collection: 'zoo_entities',
      relation_collection: 'zoo_relations',
      passage_collection: 'zoo_passages',
      has_all_collections: true,
    },
  ]);
  const params = { graph_name: 'zoo' };
  assert.equal((await ask('graphStats', { params })).data, {
    graph_name: 'zoo',
    entity_count: 4,
    relation_count: 3,
    passage_count: 3,
  });
});

test('lists the documents of a graph, and the neighbors of an entity', async () => {
  const { data } = await ask('listDocuments', {
    query: { graph_name: 'zoo', top_k: 2, offset: 1 },
  });
  const documents = data['documents'] as { id: string; entity_ids: string[] }[];
  assert.equal([documents.map(({ id }) => id), data['total']], [['mo/use', 'owl'], 3]);
  const about = await ask('listDocuments', { query: { graph_name: 'zoo', query: 'night owls' } });
  assert.is((about.data['documents'] as { id: string }[])[0]?.id, 'owl');
  const one = await ask('getDocument', { params: { document_id: 'mo/use' }, ...inZoo });
  assert.is(one.data['text'], animals.documents[1]);
  const [entityId = ''] = documents[0]?.entity_ids ?? [];
  const params = { graph_name: 'zoo', entity_id: entityId };
  const near = await ask('graphNeighbors', { params, query: { limit: 5 } });
  const names = (near.data['neighbors'] as { name: string }[]).map(({ name }) => name).sort();
  assert.equal(names, ['Owl', 'fox', 'grain']);
});

test('answers a question with citations, within a filter', async () => {
  const question = 'Who eats mice?';
  const { data } = await ask('queryGraph', { ...inZoo, body: { question } });
  assert.match(String(data['answer']), 'A fox eats mice.');
  assert.match(String(data['answer']), '[fox]');
  assert.ok('rerank_result' in data);
  const body = { question, use_reranking: false, filter: 'place.name = "field" and year > 2020' };
  const only = await ask('queryGraph', { ...inZoo, body });
  const found = (only.data['retrieved_passages'] as { id: string }[]).map(({ id }) => id);
  assert.equal([found, 'rerank_result' in only.data], [['mo/use'], false]);
  const nothing = await ask('queryGraph', { ...inZoo, body: { question: 'zyzzyva quux?' } });
  assert.is(nothing.data['answer'], 'not found in this graph');
});

test('rejects unknown graphs, documents and entities, and invalid requests', async () => {
  const unknown = { graph_name: 'nope' };
  for (const [operation, input] of [
    ['graphStats', { params: unknown }],
    ['deleteGraph', { params: unknown }],
    ['listDocuments', { query: unknown }],
    ['getDocument', { params: { document_id: 'fox' }, query: unknown }],
    ['getDocument', { params: { document_id: 'nope' }, ...inZoo }],
    ['queryGraph', { query: unknown, body: { question: 'x' } }],
    ['graphNeighbors', { params: { ...unknown, entity_id: 'x' } }],
    ['graphNeighbors', { params: { graph_name: 'zoo', entity_id: "' or 1=1" } }],
  ] satisfies [string, CallInput][]) {
    const advice = await expectError(404, 'not_found', operation, input);
    assert.not.match(advice, 'the sources');
  }
  const filtered = { question: 'x', filter: 'yaer = 1' };
  const detail = await expectError(400, 'filter_invalid', 'queryGraph', {
    ...inZoo,
    body: filtered,
  });
  assert.match(detail, 'Did you mean `year`?');
  const broken = { question: 'x', filter: 'year >' };
  await expectError(400, 'filter_invalid', 'queryGraph', { ...inZoo, body: broken });
  for (const [operation, input] of [
    ['queryGraph', { ...inZoo, body: { question: ' ' } }],
    ['queryGraph', { ...inZoo, body: { question: 'x', expansion_degree: 5 } }],
    ['queryGraph', { ...inZoo, body: { question: 'x', more: 1 } }],
    ['queryGraph', { body: { question: 'x' } }],
    ['listDocuments', { query: { graph_name: 'a b' } }],
    ['addDocuments', { ...inZoo, body: { ...animals, ids: ['a', 'a', 'b'] } }],
    ['addDocuments', { ...inZoo, body: { ...animals, metadatas: [{}] } }],
    ['addDocuments', { ...inZoo, body: { documents: ['x'], triplets: [[['a', 'b']]] } }],
    ['addDocuments', { ...inZoo, body: { documents: [' '] } }],
    ['importSources', { body: { sources: ['/x'], chunk_size: 200, chunk_overlap: 101 } }],
    ['importSources', { body: { sources: [] } }],
  ] satisfies [string, CallInput][]) {
    const refused = await expectError(422, 'validation_error', operation, input);
    assert.match(refused, /"loc":\["(query|body)"/, `${operation} ${JSON.stringify(input)}`);
  }
  assert.is((await ask('graphStats', { params: { graph_name: 'zoo' } })).data['passage_count'], 3);
});

test('imports folders, patterns and pages, and reports those that fail', async () => {
  const page = await listen((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<title>Bats</title><body><h1>Bats</h1><p>Bats hunt moths.</p></body>');
  });
  try {
    await server.close();
    server = await startReal(world, { graph: { private_hosts: [page.host] } });
    await mkdir(join(world.docs, 'notes'), { recursive: true });
    await writeFile(join(world.docs, 'notes', 'one.md'), '# One\n\nThe first note.\n');
    await writeFile(join(world.docs, 'notes', 'two.txt'), 'The second note.\n');
    const sources = [
      `http://${page.host}/bats`,
      join(world.docs, 'notes'),
      join(world.docs, '**', '*.md'),
      'http://localhost/private',
      join(world.root, 'nope'),
    ];
    const { data } = await ask('importSources', { body: { sources, graph_name: 'mixed' } });
    assert.equal(
      [data['success'], data['num_sources'], data['num_documents']],
      [true, 5, 5],
      JSON.stringify(data),
    );
    const errors = (data['errors'] as string[]).join('\n');
    assert.match(errors, 'localhost is not an address of the public internet');
    assert.match(errors, 'nope');
    const question = { question: 'What do bats hunt?' };
    const asked = await ask('queryGraph', { query: { graph_name: 'mixed' }, body: question });
    const [first] = asked.data['retrieved_passages'] as { metadata: unknown }[];
    assert.equal(first?.metadata, {
      source: `http://${page.host}/bats`,
      source_type: 'url',
      title: 'Bats',
      chunk_index: 0,
      total_chunks: 1,
    });
    const none = await ask('importSources', {
      body: { sources: [join(world.root, 'nope')], graph_name: 'mixed' },
    });
    assert.is(none.data['success'], false);
    const params = { graph_name: 'mixed' };
    assert.is((await ask('graphStats', { params })).data['passage_count'], 5);
  } finally {
    await page.stop();
  }
});

/** A form of a text and a binary file. */
function formOf(fields: Readonly<Record<string, string>>): CallInput {
  const boundary = 'a-boundary';
  const disposition = (rest: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${rest}\r\n\r\n`;
  const parts = [
    ...Object.entries(fields).map(([name, value]) => disposition(`name="${name}"`) + value),
    `${disposition('name="files"; filename="whales.md"')}# Whales\n\nWhales sing.`,
    `${disposition('name="files"; filename="noise.bin"')}${'\0\x01\x02'.repeat(99)}`,
  ];
  const body = Buffer.from(`${parts.join('\r\n')}\r\n--${boundary}--\r\n`, 'latin1');
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}

test('builds the default graph from uploaded files', async () => {
  const { data } = await ask('uploadDocuments', formOf({ chunk_size: '200', chunk_overlap: '50' }));
  assert.equal(
    [data['success'], data['num_sources'], data['num_documents'], data['num_chunks']],
    [true, 2, 1, 1],
  );
  assert.match(String(data['errors']), 'noise.bin');
  const { documents } = (await ask('listDocuments', { query: { graph_name: '' } })).data;
  const [first] = documents as { metadata: Record<string, unknown> }[];
  assert.is(first?.metadata['source'], 'whales.md');
  assert.ok(
    ((await ask('listGraphs')).data['graphs'] as { name: string }[]).some(
      ({ name }) => name === 'default',
    ),
  );
});

test('reports the progress of a build and rejects a second one', async () => {
  const held = await listen((_request, response) => void waiting.push(() => response.end('late')));
  const waiting: (() => void)[] = [];
  await server.close();
  server = await startReal(world, { graph: { private_hosts: [held.host] } });
  try {
    const sources = [`http://${held.host}/`];
    const building = ask('importSources', { body: { sources, graph_name: 'zoo' } });
    while (waiting.length === 0) await new Promise((next) => setImmediate(next));
    const body = { sources, graph_name: 'zoo' };
    const { data: build } = await ask('graphBuild', inZoo);
    assert.equal(
      [build['graph_name'], build['num_passages'], build['total_passages']],
      ['zoo', 0, null],
    );
    await expectError(404, 'not_found', 'graphBuild', { query: { graph_name: '' } });
    await expectError(409, 'graph_busy', 'importSources', { body });
    await expectError(409, 'graph_busy', 'addDocuments', { ...inZoo, body: animals });
    await expectError(409, 'graph_busy', 'uploadDocuments', formOf({ graph_name: 'zoo' }));
    await expectError(409, 'graph_busy', 'deleteGraph', { params: { graph_name: 'zoo' } });
    const { data } = await ask('queryGraph', { ...inZoo, body: { question: 'Who eats mice?' } });
    assert.match(String(data['answer']), '[fox]');
    for (const answer of waiting) answer();
    assert.is((await building).data['success'], true);
    assert.not.match(await expectError(404, 'not_found', 'graphBuild', inZoo), 'the sources');
    await ask('addDocuments', { ...inZoo, body: animals });
  } finally {
    await held.stop();
  }
});

test('reports an index of another embedder, and an unreachable embedder', async () => {
  const embedder = await listen((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(pieces).toString()) as { input: string[] };
      const data = input.map((text, index) => ({
        index,
        embedding: [1, text.length % 7, text.length % 5, 0, 0, 0, 0, 0],
      }));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data, model: 'm', usage: { prompt_tokens: 1 } }));
    });
  });
  await server.close();
  server = await startReal(world, {
    namespace: 'other',
    embedding: {
      provider: 'openai',
      model: 'm',
      dimension: 8,
      api_key: 's3cret',
      base_url: `http://${embedder.host}/v1`,
    },
  });
  try {
    const body = { ...animals, graph_name: 'zoo' };
    const { graph_name: _name, ...documents } = body;
    await expectError(409, 'index_mismatch', 'addDocuments', { ...inZoo, body: documents });
    const sources = [join(world.docs, 'notes')];
    const imported = { body: { sources, graph_name: 'zoo' } };
    await expectError(409, 'index_mismatch', 'importSources', imported);
    await expectError(409, 'index_mismatch', 'uploadDocuments', formOf({ graph_name: 'zoo' }));
    const query = { graph_name: 'meaning' };
    await ask('addDocuments', { query, body: documents });
    const asked = { query, body: { question: 'Who eats mice?' } };
    assert.is((await ask('queryGraph', asked)).status, 200);
    await embedder.stop();
    await expectError(502, 'embedding_unavailable', 'queryGraph', asked);
    const listed = { query: { graph_name: 'meaning', query: 'owls' } };
    await expectError(502, 'embedding_unavailable', 'listDocuments', listed);
    assert.not.match(JSON.stringify((await ask('graphSettings')).data), 's3cret');
  } finally {
    await embedder.stop();
    await server.close();
    server = await startReal(world);
  }
});

test('deletes a graph, which is then unknown', async () => {
  const params = { graph_name: 'zoo' };
  assert.is((await ask('deleteGraph', { params })).data['success'], true);
  await expectError(404, 'not_found', 'graphStats', { params });
  const names = ((await ask('listGraphs')).data['graphs'] as { name: string }[]).map(
    ({ name }) => name,
  );
  assert.equal(names, ['default', 'mixed']);
});

test('rejects calls after the engine has closed', async () => {
  await server.engine.close();
  const all: [string, CallInput][] = [
    ['listGraphs', {}],
    ['addDocuments', { ...inZoo, body: animals }],
    ['importSources', { body: { sources: ['/x'] } }],
    ['uploadDocuments', formOf({})],
    ['graphBuild', inZoo],
    ['listDocuments', inZoo],
    ['getDocument', { params: { document_id: 'x' }, ...inZoo }],
    ['queryGraph', { ...inZoo, body: { question: 'x' } }],
    ['graphStats', { params: { graph_name: 'zoo' } }],
    ['graphNeighbors', { params: { graph_name: 'zoo', entity_id: 'x' } }],
    ['deleteGraph', { params: { graph_name: 'zoo' } }],
  ];
  for (const [operation, input] of all) await expectError(503, 'engine_closed', operation, input);
  assert.is((await ask('graphHealth')).status, 200);
});

test('limits the number of requests with large bodies', () => {
  const bounded = allRoutes.filter(({ gate }) => gate !== undefined);
  assert.equal(
    new Set(bounded.map(({ name }) => name)),
    new Set(['addDocuments', 'importSources', 'uploadDocuments']),
  );
});

test('serves the routes below a base path', () => {
  const paths = apiRoutes({ base: '/kg' }).map(({ path }) => path);
  assert.ok(paths.includes('/kg/query') && paths.includes('/kg/graph/{graph_name}/stats'));
  assert.ok(!paths.includes('/query') && paths.includes('/v1/search'));
});

test('every operation succeeded and every documented error occurred', () => {
  const missing = routes.flatMap((route) =>
    ['ok', ...errorsOf(route)]
      .filter((code) => !ofTheHost.includes(code) && !notHere.has(code))
      .map((code) => `${route.name} ${code}`)
      .filter((pair) => !caller.seen.has(pair)),
  );
  assert.equal(missing, []);
});

test.run();
