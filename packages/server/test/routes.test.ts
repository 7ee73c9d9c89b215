import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { errorsOf } from '@trove/operations';
import type { Route } from '../src/routes/route.js';
import { routes as allRoutes } from '../src/routes/table.js';
import { answersBatches } from './support/batches.js';
import { tarOf, tarType as type } from './support/archives.js';
import { Caller, type CallInput } from './support/caller.js';
import { usesTokens } from './support/token-routes.js';
import { notHere, ofTheHost, requestOf, unprovoked } from './support/promised.js';
import { backsUp } from './support/backups.js';
import { installBroken } from './support/broken-plugins.js';
import { appliesDefinitions, movesSources } from './support/moves.js';
import { heldFiles } from './support/shop.js';
import {
  install,
  makeWorld,
  removeWorld,
  startReal,
  type Running,
  type World,
} from './support/real-server.js';

/*
 * Calls every operation and provokes every error that the document lists, on a real server with a real engine. The last
 * test compares the collected answers with the route table.
 */

const test = suite('routes');
// Graph routes have a separate test.
const routes = allRoutes.filter(({ tag }) => tag !== 'Graph');
const caller = new Caller();
const keyVariable = 'TROVE_TEST_SHOP_KEY';
let world: World;
let server: Running;

const ask = (operationId: string, input?: CallInput) =>
  caller.call(server.host, operationId, input);

async function expectCode(code: string, operationId: string, input?: CallInput): Promise<void> {
  const { code: found, detail } = (await ask(operationId, input)).data;
  assert.is(found, code, `${operationId} ${JSON.stringify(input)}: ${String(detail)}`);
}

async function restart(
  ...args: Parameters<typeof startReal> extends [World, ...infer R] ? R : never
) {
  await server.close();
  server = await startReal(world, ...args);
}

const idsOf = (chosen: readonly Route[]) => chosen.map(({ name }) => name);
/** Operations that read an object, and operations on a registered path with its parameter name. */
const reading = idsOf(routes.filter(({ errors }) => errors.includes('is_directory')));
const looking = routes
  .filter(({ tag, query }) => tag !== 'Retrieval' && query.required?.length === 1)
  .filter(({ method }) => method === 'GET')
  .map(({ name, query }) => [name, query.required?.[0] ?? ''] as const)
  .filter(([, parameter]) => ['path', 'target'].includes(parameter));

const shopConfig = { key: `env:${keyVariable}` };

test.before(async () => {
  process.env[keyVariable] = 's3cret';
  world = await makeWorld();
  server = await startReal(world);
});
test.after(async () => {
  world.gate.open();
  await server.close().then(() => removeWorld(world));
  delete process.env[keyVariable];
});

test('returns the state of the server', async () => {
  assert.equal((await ask('healthz')).data, { status: 'ok' });
  assert.is((await ask('readyz')).data['status'], 'ready');
  assert.match(String((await ask('metrics')).data['text']), 'trove_http_requests_total');
  assert.is((await ask('getServerInfo')).data['namespace'], 'default');
  assert.is((await ask('getOpenApi')).data['openapi'], '3.1.0');
  assert.equal((await ask('status')).data['connectors'], []);
});

test('creates, rotates and revokes tokens', () => usesTokens(ask));

/** Operations that open a source which need not be registered. */
const opening = ['addSource', 'probeConnector', 'estimateConnector', 'explainConnector'];

test('probes and estimates a source without registering it', async () => {
  const folder = { body: { target: world.docs } };
  assert.is((await ask('probeConnector', folder)).data['ok'], true);
  assert.is((await ask('estimateConnector', folder)).data['objects'], 5);
  const missing = { body: { target: join(world.root, 'nope') } };
  assert.is((await ask('probeConnector', missing)).data['ok'], false);
  for (const operation of ['estimateConnector', 'addSource'])
    await expectCode('connector_unhealthy', operation, missing);
  const { data } = await ask('explainConnector', { body: { target: 'github://acme/rocket' } });
  assert.match(JSON.stringify(data['requests']), '/repos/acme/rocket/issues?state=all');
  await expectCode('not_supported', 'explainConnector', folder);
  const { data: github } = await ask('describeConnector', { query: { scheme: 'github' } });
  for (const part of ['Repository', '"writeOnly":true', '"setting":"token"'])
    assert.match(JSON.stringify(github), part);
  assert.match(JSON.stringify((await ask('listSourceKinds', { body: {} })).data), '"name":"Jira"');
  await expectCode('not_available', 'describeConnector', { query: { scheme: 'nope' } });
  assert.equal((await ask('status')).data['connectors'], []);
});

test('adds a source and returns its job', async () => {
  const { data } = await ask('addSource', { body: { target: world.docs, process: true } });
  const params = { job_id: String(data['job_id']) };
  const job = (await ask('getJob', { params })).data;
  assert.is(job['target'], `file://local${world.docs}`);
  assert.ok(['succeeded', 'partial'].includes(String(job['status'])), JSON.stringify(job));
  assert.is((await ask('cancelJob', { params })).data['cancelled'], false);
  assert.is(((await ask('listJobs')).data['items'] as unknown[]).length, 1);
  await expectCode('not_found', 'getJob', { params: { job_id: 'nope' } });
  await expectCode('not_found', 'cancelJob', { params: { job_id: 'nope' } });
});

test('finds hits and matches, and rejects invalid queries', async () => {
  for (const mode of ['hybrid', 'semantic', 'keyword']) {
    const { data } = await ask('search', { query: { q: 'brown fox', mode, snippet: 80 } });
    const [hit] = data['results'] as { source: string; locator: unknown; content: string }[];
    assert.match(hit?.source ?? '', /fox\.md$/, mode);
    const read = await ask('cat', {
      query: { path: hit?.source ?? '', locator: JSON.stringify(hit?.locator) },
    });
    assert.match(String(read.data['content']), hit?.content ?? 'nothing');
  }
  const filter = 'media_type == "text/markdown"';
  const filtered = { q: 'fox', filter, kind: 'body', collapse: true };
  assert.is(((await ask('search', { query: filtered })).data['results'] as unknown[]).length, 1);
  const answered = (await ask('ask', { body: { question: 'Where is the quick brown fox?' } })).data;
  assert.match(String(answered['answer']), /fox.*\[1\]/);
  const { data } = await ask('grep', { query: { pattern: 'FOX', ignore_case: true, context: 1 } });
  const matches = (data['results'] as { via: string }[]).filter(({ via }) => via !== 'notice');
  assert.is(matches.length, 1);
  const nowhere = join(world.root, 'nope');
  for (const [name, key] of Object.entries({ search: 'q', grep: 'pattern', symbols: 'name' }))
    await expectCode('not_found', name, { query: { [key]: 'x', path: nowhere } });
  await expectCode('not_found', 'ask', { body: { question: 'x', path: nowhere } });
  await expectCode('validation_error', 'ask', { body: { question: 'x', max_passages: 21 } });
  const wrong = [{ kind: 'nope' }, { filter: 'path ==' }, { path: 'relative' }];
  for (const query of wrong)
    await expectCode('validation_error', 'search', { query: { q: 'x', ...query } });
  await expectCode('validation_error', 'grep', { query: { pattern: '(', regex: true } });
  const { data: found } = await ask('symbols', { query: { name: 'func feedAnimals' } });
  assert.is((found['definitions'] as unknown[]).length, 1);
});

test('answers batches of searches and reads, with an error in place of a result', () =>
  answersBatches(ask, world));

test('lists and reads objects, and rejects what they do not support', async () => {
  const at = (name: string) => join(world.docs, name);
  const { data } = await ask('ls', { query: { path: world.docs } });
  assert.is((data['entries'] as unknown[]).length, 5);
  assert.is(
    (await ask('cat', { query: { path: at('fox.md'), range: '3:3' } })).data['content'],
    'The quick brown fox.\n',
  );
  assert.is((await ask('cat', { query: { path: at('fox.md'), meta: true } })).data['content'], '');
  const peek = await ask('cat', { query: { path: at('fox.md'), density: 'peek' } });
  assert.match(String(peek.data['content']), 'Plants');
  assert.is(
    (await ask('head', { query: { path: at('fox.md'), n: 1 } })).data['content'],
    '# Animals\n',
  );
  assert.is(
    (await ask('tail', { query: { path: at('fox.md'), n: 1 } })).data['content'],
    'A fern.\n',
  );
  const whole = await ask('export', { query: { path: at('large.txt') } });
  assert.is(String(whole.data['content']).length, 1_200_000);

  for (const operation of reading) {
    await expectCode('is_directory', operation, { query: { path: at('deep') } });
    await expectCode('not_supported', operation, { query: { path: at('bytes.bin') } });
  }
  for (const [operation, key] of looking) {
    await expectCode('not_found', operation, { query: { [key]: join(world.root, 'nope') } });
    await expectCode('validation_error', operation, { query: { [key]: 'docs/fox.md' } });
  }
  await expectCode('not_found', 'cat', { query: { path: at('nope.md') } });
  await expectCode('object_too_large_for_cat', 'cat', { query: { path: at('large.txt') } });
  await expectCode('object_too_large_for_cat', 'head', { query: { path: at('long-line.txt') } });
  await expectCode('object_too_large_for_cat', 'tail', { query: { path: at('long-line.txt') } });
  await expectCode('density_unsupported', 'cat', {
    query: { path: at('large.txt'), density: 'peek' },
  });
  for (const [parameter, value] of [
    ['range', '9:1'],
    ['range', '3'],
    ['locator', '[1]'],
    ['locator', '{'],
  ] as const) {
    const query = { path: at('fox.md'), [parameter]: value };
    await expectCode('validation_error', 'cat', { query });
  }
  const gone = JSON.stringify({ lines: [900, 901] });
  await expectCode('locator_not_found', 'cat', { query: { path: at('fox.md'), locator: gone } });
});

test('reports why a document cannot be read', async () => {
  const books = `export default {
    kind: 'converter', apiVersion: 1, keys: ['application/epub+zip'],
    configSchema: { type: 'object' }, workerModule: import.meta.url,
    create: ({ error }) => ({
      version: 'books 1',
      convert: async ({ bytes }) => { throw error(new TextDecoder().decode(bytes.subarray(4)), 'No.'); },
    }),
  };`;
  await install(world, 'odd-books', { exports: './index.js' }, books);
  await restart({ plugins: { 'application/epub+zip': 'odd-books' } });
  for (const problem of ['encrypted', 'damaged', 'empty', 'too_complex']) {
    const path = join(world.docs, `${problem}.epub`);
    await writeFile(path, `PK\u0003\u0004document_${problem}`);
    for (const operation of reading)
      await expectCode(`document_${problem}`, operation, { query: { path } });
  }
  await restart();
});

test('reads the records of a source, and reports its outage', async () => {
  const target = 'shop://acme';
  const { data } = await ask('addSource', { body: { target, config: shopConfig, process: true } });
  const job = await ask('getJob', { params: { job_id: String(data['job_id']) } });
  assert.is(job.data['status'], 'succeeded', JSON.stringify(job.data));
  const path = 'shop://acme/goods';
  const seven = await ask('cat', { query: { path, locator: JSON.stringify({ id: 7 }) } });
  assert.match(String(seven.data['content']), 'anvil');
  await expectCode('range_unsupported', 'cat', { query: { path, bytes: '0:9' } });
  await expectCode('tail_unsupported', 'tail', { query: { path } });
  world.gate.closed = true;
  for (const reason of ['connector_unhealthy', 'rate_limited'] as const) {
    world.gate.reason = reason;
    for (const operation of ['ls', ...reading].filter((name) => name !== 'tail'))
      await expectCode(reason, operation, { query: { path } });
  }
  await expectCode('rate_limited', 'estimateConnector', { body: { target, config: shopConfig } });
  world.gate.closed = false;
  const inspected = await ask('inspectConnector', { query: { target } });
  assert.not.match(JSON.stringify(inspected.data), 's3cret');
});

test('moves sources to other places, and refuses wrong ones', () =>
  movesSources(ask, world, 'shop://acme'));

test('exports the definitions of sources, and applies them', () =>
  appliesDefinitions(ask, 'shop://acme'));

test('backs up the running server, one backup at a time', () => backsUp(ask, expectCode, world));

test('rejects invalid configurations of sources', async () => {
  const requests: readonly (readonly [string, object])[] = [
    ['config_invalid', { target: 'shop://b', config: { keey: 'x' } }],
    ['credential_error', { target: 'shop://b', config: { key: 'env:TROVE_TEST_NOT_SET' } }],
    ['not_available', { target: 'nowhere://b' }],
  ];
  for (const [code, body] of requests)
    for (const operation of opening) await expectCode(code, operation, { body });
  const dated = { target: 'shop://acme', config: shopConfig, since: '2026-01-01' };
  await expectCode('since_unsupported', 'addSource', { body: dated });
  await expectCode('since_unsupported', 'estimateConnector', { body: dated });
  const other = { target: 'shop://acme', config: { key: 'other' } };
  await expectCode('connector_already_registered', 'addSource', { body: other });
});

test('reports broken plugins', async () => {
  for (const [code, scheme] of await installBroken(world)) {
    for (const operation of opening)
      await expectCode(code, operation, { body: { target: `${scheme}://x` } });
  }
});

test('rejects a second sync and a second removal of a source', async () => {
  world.gate.shut();
  const target = 'shop://acme';
  const { data } = await ask('addSource', { body: { target } });
  await expectCode('sync_already_running', 'addSource', { body: { target } });
  const move = { body: { target, to: 'shop://elsewhere', force: true } };
  await expectCode('sync_already_running', 'moveConnector', move);
  const paused = await ask('scheduleConnector', { body: { target, paused: true } });
  assert.is(paused.data['paused'], true);
  const wrong = { body: { target, every: '1s' } };
  await expectCode('config_invalid', 'scheduleConnector', wrong);
  // Either may arrive first. The refused one is answered while the other waits.
  const removals = [1, 2].map(() => ask('removeConnector', { query: { target } }));
  const refused = await Promise.race(removals);
  const third = await ask('addSource', { body: { target } });
  await expectCode('connector_removing', 'moveConnector', move);
  await expectCode('connector_removing', 'scheduleConnector', { body: { target, paused: true } });
  world.gate.open();
  const removed = (await Promise.all(removals)).filter((answer) => answer !== refused);
  assert.is(removed.length, 1);
  assert.is(removed[0]?.data['removed'], true);
  assert.is(refused.data['code'], 'connector_removing');
  assert.is(third.data['code'], 'connector_removing');
  const job = await ask('getJob', { params: { job_id: String(data['job_id']) } }).catch(() => null);
  assert.ok(job === null || job.status === 404 || job.data['status'] === 'cancelled');
  const again = await ask('removeConnector', { query: { target } });
  assert.is(again.data['code'], 'not_found');
});

test('removes only the root of a registered source', async () => {
  const below = join(world.docs, 'deep');
  await expectCode('remove_requires_connector_root', 'removeConnector', {
    query: { target: below },
  });
  await expectCode('not_found', 'removeConnector', { query: { target: world.root } });
  await expectCode('not_found', 'scheduleConnector', { body: { target: world.root } });
});

test('reports missing credentials and forbidden roots of old sources', async () => {
  for (const [target, config] of [
    ['shop://keyed', shopConfig],
    ['shop://sick', { key: 'k' }],
  ] as const) {
    await ask('addSource', { body: { target, config, process: true } });
  }
  const each = async (code: string, path: string): Promise<void> => {
    for (const [operation, key] of looking)
      await expectCode(code, operation, { query: { [key]: path } });
  };
  delete process.env[keyVariable];
  await restart({ server: { allowed_roots: [join(world.root, 'other')] } });
  await each('credential_error', 'shop://keyed/goods');
  await each('path_not_allowed', join(world.docs, 'fox.md'));
  for (const operation of opening) {
    for (const target of [world.docs, `sqlite://${world.docs}/a.db`])
      await expectCode('path_not_allowed', operation, { body: { target } });
  }
  await expectCode('path_not_allowed', 'moveConnector', {
    body: { target: world.docs, to: world.root },
  });
  process.env[keyVariable] = 's3cret';
  await restart({}, { shop: false });
  await each('not_available', 'shop://keyed/goods');
  await expectCode('not_available', 'exportSources');
  await restart();
});

/** The manifest of a client. */
const bundle = (meta: object) => tarOf({ name: '.trove-meta.json', content: JSON.stringify(meta) });

test('accepts uploads and rejects invalid ones', async () => {
  const named = { query: { name: 'notes' }, body: tarOf({ name: 'a.md', content: '# A' }), type };
  const { data } = await ask('uploadSource', named);
  const job = await ask('getJob', { params: { job_id: String(data['job_id']) } });
  assert.is(job.data['added'], 1);
  const whose = { client_id: 'notes', root: '/' };
  const manifest = await ask('filesManifest', { body: { ...whose, files: [] } });
  assert.is((manifest.data['deletion_candidates'] as unknown[]).length, 1);
  const move = { target: 'file://notes', to: world.root };
  await expectCode('not_supported', 'moveConnector', { body: move });
  const changed = { query: whose, body: bundle({ deletions: ['a.md'] }), type };
  assert.is((await ask('filesUpload', changed)).status, 200);
  for (const [operation, query] of [
    ['uploadSource', named.query],
    ['filesUpload', whose],
  ] as const) {
    const link = tarOf({ name: 'l', type: '2', link: '/etc' });
    await expectCode('upload_invalid', operation, { query, body: link, type });
  }

  await restart({ plugins: { file: 'trove-connector-not-there' } });
  for (const [operation, input] of [
    ['uploadSource', named],
    ['filesUpload', changed],
  ] as const) {
    await expectCode('not_available', operation, input);
  }
  await restart({}, { plugins: [heldFiles(world.gate)] });
  world.gate.shut();
  assert.is(
    (await ask('uploadSource', { ...named, query: { name: 'notes', process: false } })).status,
    200,
  );
  await expectCode('sync_already_running', 'uploadSource', named);
  await expectCode('sync_already_running', 'filesUpload', changed);
  const removal = ask('removeConnector', { query: { target: 'file://notes' } });
  for (;;) {
    const { data: refused } = await ask('uploadSource', named);
    if (refused['code'] === 'connector_removing') break;
  }
  await expectCode('connector_removing', 'filesUpload', changed);
  world.gate.open();
  assert.is((await removal).data['removed'], true);
  await restart();
});

test('searches by words while the embedder cannot be reached', async () => {
  const there = await makeWorld();
  const provider = { provider: 'openai', model: 'm', dimension: 8, api_key: 's3cret' };
  const down = { ...provider, base_url: 'http://127.0.0.1:9/v1' };
  const other = await startReal(there, { embedding: down });
  try {
    const answer = await caller.call(other.host, 'search', { query: { q: 'x' } });
    assert.is(answer.data['code'], 'embedding_unavailable');
    assert.not.match(JSON.stringify(answer.body), 's3cret');
    const asked = await caller.call(other.host, 'ask', { body: { question: 'x' } });
    assert.is(asked.data['code'], 'embedding_unavailable');
    const words = { q: 'x', mode: 'keyword' };
    assert.is((await caller.call(other.host, 'search', { query: words })).status, 200);
  } finally {
    await other.close();
    await removeWorld(there);
  }
});

test('is not ready while the index is missing', async () => {
  const index = join(world.root, 'home', 'index.lance');
  await rename(index, `${index}.away`);
  // The answer may be cached for a second.
  await caller.until(server.host, 'readyz', 'not_ready');
  await rename(`${index}.away`, index);
  await caller.until(server.host, 'readyz', undefined);
});

test('rejects every call after the engine has closed', async () => {
  await server.engine.close();
  for (const route of routes) {
    if (route.withoutEngine === true) continue;
    await expectCode('engine_closed', route.name, requestOf(route));
  }
  assert.is((await ask('healthz')).status, 200);
});

/** The record source can fail but has no order for tail. The folder has an order but does not fail. */
const elsewhere = ['tail connector_unhealthy', 'tail rate_limited'];

test('every operation succeeded and every documented error occurred', () => {
  const missing = routes.flatMap((route) =>
    ['ok', ...errorsOf(route)]
      .filter((code) => !ofTheHost.includes(code) && !notHere.has(code))
      .map((code) => `${route.name} ${code}`)
      .filter((pair) => !elsewhere.includes(pair))
      .filter((pair) => !caller.seen.has(pair)),
  );
  assert.equal(missing, []);
});

test('every error code with an HTTP status is provoked by a test', () => {
  assert.equal(unprovoked(caller.seen), []);
});

test.run();
