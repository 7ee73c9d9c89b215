import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { exportText, TroveApiError, TroveClient } from '@trove/client';
import { suite } from 'uvu';
import { waitUntil } from '@trove/test-support/waiting.js';
import * as assert from 'uvu/assert';
import { tarOf, tarType } from './support/archives.js';
import {
  makeWorld,
  removeWorld,
  startReal,
  type Running,
  type World,
} from './support/real-server.js';
import { token } from './support/server.js';

/* Calls every operation with the generated client on a live server. */

const test = suite('the TypeScript client');

let world: World;
let server: Running;
let client: TroveClient;
const called = new Set<string>();

type Group = Exclude<keyof TroveClient, 'http'>;
const groups = [
  'access',
  'browse',
  'connectors',
  'graph',
  'ingest',
  'retrieval',
  'server',
] as const satisfies Group[];

const methodsOf = (group: Group): string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(client[group])).filter(
    (name) => name !== 'constructor',
  );

/** A group of the API that records its called methods. */
function watched<G extends object>(group: G, name: string): G {
  return new Proxy(group, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== 'function') return method;
      called.add(`${name}.${String(key)}`);
      return method.bind(target);
    },
  });
}

test.before(async () => {
  world = await makeWorld();
  server = await startReal(world);
  client = new TroveClient({ baseUrl: server.host.url, token });
});
test.after(async () => {
  await server.close();
  await removeWorld(world);
});

test('returns the state of the server and probes a source', async () => {
  const api = watched(client.server, 'server');
  assert.equal(await api.healthz(), { status: 'ok' });
  assert.is((await api.readyz()).status, 'ready');
  assert.match(await api.metrics(), 'trove_http_requests_total');
  assert.ok((await api.getServerInfo()).capabilities.schemes.includes('file'));
  assert.equal((await api.status()).connectors, []);
  assert.match(String((await api.getOpenApi())['openapi']), /^3\.1/);
  const connectors = watched(client.connectors, 'connectors');
  const body = { target: world.docs };
  assert.ok((await connectors.probeConnector({ body })).ok);
  assert.ok((await connectors.estimateConnector({ body })).est_chunks > 0);
  const address = 'https://acme.atlassian.net/browse/OPS-1';
  const { kinds, recognised } = await connectors.listSourceKinds({ body: { address } });
  assert.ok(kinds.some(({ schemes }) => schemes.includes('file')));
  assert.equal(recognised[0]?.target, 'jira://acme/OPS');
  const { config_schema: schema } = await connectors.describeConnector({ scheme: 'file' });
  assert.is(schema['type'], 'object');
  // The connector of files explains no requests.
  const explained = await connectors.explainConnector({ body }).then(
    () => 'none',
    (error: unknown) => error instanceof TroveApiError && error.code,
  );
  assert.is(explained, 'not_supported');
});

test('creates, rotates and revokes a token', async () => {
  const api = watched(client.access, 'access');
  const created = await api.createToken({ body: { name: 'ci', rights: 'sync' } });
  const user = new TroveClient({ baseUrl: server.host.url, token: created.token });
  assert.equal((await user.server.status()).connectors, []);
  const next = await api.rotateToken({ name: 'ci', body: { overlap_s: 60 } });
  assert.is.not(next.token, created.token);
  assert.equal(
    (await api.listTokens()).tokens.map(({ name, rights }) => [name, rights]),
    [
      ['ci', 'sync'],
      ['ci', 'sync'],
    ],
  );
  assert.is((await api.revokeToken({ name: 'ci' })).revoked, 2);
});

test('adds a source, finds its objects and reads them', async () => {
  const ingest = watched(client.ingest, 'ingest');
  const { job_id } = await ingest.addSource({ body: { target: world.docs, process: true } });
  const job = await ingest.getJob({ job_id });
  assert.ok(['succeeded', 'partial'].includes(job.status), JSON.stringify(job));
  assert.is((await ingest.listJobs({ limit: 1 }))[0]?.id, job_id);
  assert.is((await ingest.cancelJob({ job_id })).cancelled, false);

  const retrieval = watched(client.retrieval, 'retrieval');
  const [hit] = (await retrieval.search({ q: 'quick brown fox', collapse: true })).results;
  const path = hit?.source ?? '';
  assert.match(path, /fox\.md$/);
  assert.is(hit?.explanation, undefined);
  const explained = await retrieval.search({ q: 'quick brown fox', explain: true });
  assert.is(explained.results[0]?.explanation?.words[0]?.word, 'quick');
  const answer = await retrieval.ask({ body: { question: 'Where is the quick brown fox?' } });
  assert.equal([answer.found, answer.citations[0]?.source], [true, path]);
  const { results } = await retrieval.grep({ pattern: 'FEEDanimals', ignore_case: true });
  assert.is(results.filter(({ via }) => via !== 'notice').length, 1);
  const symbols = await retrieval.symbols({ name: 'feedAnimals()', references: 5 });
  assert.is(symbols.definitions[0]?.kind, 'function');
  const batch = await retrieval.searchBatch({
    body: {
      queries: [
        { q: 'brown fox', top_k: 1 },
        { q: 'fox', path: '/nope' },
      ],
    },
  });
  const [first, second] = batch.results;
  assert.is(first?.ok === true && first.value.results[0]?.source, path);
  assert.is(second?.ok === false && second.error.code, 'not_found');

  const browse = watched(client.browse, 'browse');
  assert.ok((await browse.ls({ path: world.docs })).entries.some(({ name }) => name === 'fox.md'));
  const text = await browse.cat({ path, locator: JSON.stringify(hit?.locator) });
  assert.ok(text.content.includes(hit?.content ?? '?'));
  const meta = await browse.cat({ path, meta: true });
  assert.is('media_type' in meta && meta.media_type, 'text/markdown');
  const reads = [
    { path, range: '1:1' },
    { path, meta: true },
  ];
  const [line, facts] = (await browse.readBatch({ body: { reads } })).results;
  assert.is(line?.ok === true && line.value.content, '# Animals\n');
  assert.ok(facts?.ok === true && 'media_type' in facts.value);
  assert.is((await browse.head({ path, n: 1 })).content, '# Animals\n');
  assert.is((await browse.tail({ path, n: 1 })).content, 'A fern.\n');
  const large = { path: `${world.docs}/large.txt` };
  assert.is((await browse.export(large)).content.length, 1_200_000);
  let streamed = 0;
  for await (const piece of exportText(client.http, large)) streamed += piece.length;
  assert.is(streamed, 1_200_000);

  const connectors = watched(client.connectors, 'connectors');
  assert.is((await connectors.inspectConnector({ target: world.docs }))['type'], 'file');
  const api = watched(client.server, 'server');
  const to = join(world.root, 'backup');
  assert.is((await api.startBackup({ body: { to } })).to, to);
  await waitUntil(async () => (await api.getBackup()).status === 'succeeded', 'it is written');
  const { sources } = await connectors.exportSources();
  const applied = await connectors.applySources({ body: { sources, dry_run: true } });
  assert.is(applied.changes[0]?.action, 'none');
  const pause = { target: world.docs, paused: true };
  assert.is((await connectors.scheduleConnector({ body: pause })).paused, true);
  const resumed = await connectors.scheduleConnector({ body: { ...pause, paused: null } });
  assert.is(resumed.next_sync_at, null);
  const away = join(world.root, 'away');
  await rename(world.docs, away);
  const move = { target: world.docs, to: away };
  assert.is((await connectors.moveConnector({ body: move })).target, `file://local${away}`);
  await rename(away, world.docs);
  assert.ok((await connectors.removeConnector({ target: away })).removed);
});

test('uploads an archive as a stream', async () => {
  const ingest = watched(client.ingest, 'ingest');
  const archive = join(world.root, 'papers.tar.gz');
  const guide = { name: 'guide.md', content: '# Guide\n'.repeat(100_000) };
  await writeFile(archive, gzipSync(tarOf(guide)));
  const { job_id } = await ingest.uploadSource({
    name: 'papers',
    process: true,
    contentType: 'application/gzip',
    body: createReadStream(archive),
  });
  assert.is((await ingest.getJob({ job_id })).status, 'succeeded');
  const { content } = await client.browse.head({ path: 'file://papers/guide.md', n: 1 });
  assert.is(content, '# Guide\n');
});

test('sends only changed files', async () => {
  const ingest = watched(client.ingest, 'ingest');
  const source = { client_id: 'laptop', root: '/home/me' };
  const content = '# Plan\n';
  const file = { path: 'plan.md', size: content.length, mtime_ns: '1700000000000000123' };
  const body = { ...source, files: [file] };
  const manifest = await ingest.filesManifest({ body });
  assert.equal(manifest.need_sha1, ['plan.md']);
  const sha1 = createHash('sha1').update(content).digest('hex');
  const meta = { hashes: [{ ...file, sha1 }], renames: [], deletions: [] };
  await ingest.filesUpload({
    ...source,
    process: true,
    contentType: tarType,
    body: new Uint8Array(
      tarOf(
        { name: '.trove-meta.json', content: JSON.stringify(meta) },
        { name: 'plan.md', content },
      ),
    ),
  });
  assert.equal((await ingest.filesManifest({ body })).need_sha1, []);
});

test('throws a typed error with the code of the server', async () => {
  try {
    await client.ingest.getJob({ job_id: 'no/such job?' });
    assert.unreachable();
  } catch (error) {
    assert.instance(error, TroveApiError);
    assert.is(error instanceof TroveApiError && error.code, 'not_found');
  }
});

test('builds and queries a graph', async () => {
  const graph = watched(client.graph, 'graph');
  assert.is((await graph.graphHealth()).status, 'ok');
  assert.is((await graph.graphSettings()).llm_model, 'rules');
  const graph_name = 'zoo';
  const added = await graph.addDocuments({
    graph_name,
    body: {
      documents: ['A fox eats mice.', 'Mice eat grain.'],
      ids: ['fox', 'mice'],
      metadatas: [{ year: 2020 }, { year: 2021 }],
      triplets: [
        [['fox', 'eats', 'mice']],
        [{ subject: 'Mice', predicate: 'eat', object: 'grain' }],
      ],
      extract_triplets: false,
    },
  });
  assert.equal([added.document_ids, added.num_entities], [['fox', 'mice'], 3]);
  const answer = await graph.queryGraph({
    graph_name,
    body: { question: 'Who eats mice?', filter: 'year = 2020' },
  });
  assert.match(answer.answer, '[fox]');
  const { documents } = await graph.listDocuments({ graph_name, top_k: 1 });
  assert.is(documents[0]?.id, 'fox');
  const document = await graph.getDocument({ graph_name, document_id: 'fox' });
  const [entity_id = ''] = document.entity_ids;
  const near = await graph.graphNeighbors({ graph_name, entity_id, limit: 3 });
  assert.equal(
    near.neighbors.map(({ name }) => name),
    ['mice'],
  );
  assert.is((await graph.graphStats({ graph_name })).passage_count, 2);
  const imported = await graph.importSources({ body: { sources: [join(world.docs, 'fox.md')] } });
  assert.equal([imported.success, imported.num_documents], [true, 1]);
  const files = [new File(['# Whales\n\nWhales sing.\n'], 'whales.md')];
  assert.is((await graph.uploadDocuments({ body: { files, graph_name } })).num_chunks, 1);
  assert.equal(
    (await graph.listGraphs()).graphs.map(({ name }) => name),
    ['default', 'zoo'],
  );
  // Only a build in progress has a status.
  await notFound(() => graph.graphBuild({ graph_name }));
  assert.ok((await graph.deleteGraph({ graph_name })).success);
  await notFound(() => graph.graphStats({ graph_name }));
});

test('every operation was called', () => {
  const every = groups.flatMap((group) => methodsOf(group).map((name) => `${group}.${name}`));
  assert.ok(every.length >= 21);
  assert.equal(Object.keys(client).sort(), [...groups, 'http'].sort());
  assert.equal(
    every.filter((name) => !called.has(name)),
    [],
  );
});

async function notFound(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    assert.is(error instanceof TroveApiError && error.code, 'not_found');
    return;
  }
  assert.unreachable('it was found');
}

test.run();
