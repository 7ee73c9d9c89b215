import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ask, callTool } from './support/agent.js';
import { tarOf, tarType } from './support/archives.js';
import { startReal, type Running } from './support/real-server.js';
import { call, envelope, token as serverToken, type Answer } from './support/server.js';
import { Gate } from './support/shop.js';

/*
 * A token with paths, on a server with other sources. The same requests to a server that has only the visible sources
 * must have the same answers.
 */

const test = suite('what a token with paths sees');
/** In the name or the content of every hidden object. */
const hidden = /zebrafish|walrus/i;

let root: string;
let whole: Running;
let only: Running;
let token: string;

const at = (...parts: string[]): string => join(root, ...parts);

async function put(path: string, content: string): Promise<void> {
  await mkdir(join(at(path), '..'), { recursive: true });
  await writeFile(at(path), content);
}

function open(home: string): Promise<Running> {
  return startReal({ root: home, docs: root, gate: new Gate() });
}

test.before(async () => {
  root = await mkdtemp(join(tmpdir(), 'trove-visible-'));
  for (const home of ['whole', 'only']) await mkdir(at(home));
  await put('notes/fox.md', '# Foxes\n\nThe quick brown fox jumps over the lazy dog.\n');
  await put(
    'notes/deep/parse.ts',
    'export function parseHeader(text: string) {\n  return text;\n}\n',
  );
  await put('mix/open/plan.md', '# Plan\n\nRotate the tokens of the harbour every quarter.\n');
  await put('mix/open/use.ts', "import { parseHeader } from 'x';\nparseHeader('a');\n");
  await put('mix/walrus/plan.md', '# Plan\n\nThe walrus plan: rotate the tokens in the harbour.\n');
  await put('mix/walrus/fox.md', '# Foxes\n\nThe quick brown fox jumps over the lazy dog.\n');
  await put('mix/openwalrus.md', 'A walrus with an open name: parseHeader.\n');
  await put('zebrafish/parse.ts', 'export function parseHeader(zebrafish: string) {}\n');
  await put('zebrafish/zebrafish.md', '# Zebrafish\n\nA zebrafish in the harbour.\n');
  await put('linked/open/a.md', '# Links\n');
  await put(
    'linked/walrus/plan.md',
    '# Plan\n\nThe walrus plan: rotate the tokens in the harbour.\n',
  );
  await symlink('../walrus', at('linked/open/link'));
  whole = await open(at('whole'));
  only = await open(at('only'));
  for (const target of ['notes', 'mix', 'zebrafish', 'linked'])
    await whole.engine.add({ target: at(target), process: true });
  await whole.engine.graph.addDocuments('fish', { documents: ['A zebrafish swims.'] });
  for (const target of ['notes', 'mix/open'])
    await only.engine.add({ target: at(target), process: true });
  token = await create({ name: 'limited', rights: 'sync', paths: [at('notes'), at('mix/open')] });
});

test.after(async () => {
  await Promise.all([whole.close(), only.close()]);
  await rm(root, { recursive: true, force: true });
});

async function create(body: Record<string, unknown>): Promise<string> {
  const answer = await call(whole.host, '/v1/tokens', { method: 'POST', body });
  assert.is(answer.status, 200, JSON.stringify(answer.body));
  return (answer.body as { token: string }).token;
}

interface Sent {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function callAs(
  bearer: string,
  path: string,
  { headers, ...init }: Sent = {},
  { host }: Running = whole,
): Promise<Answer> {
  return call(host, path, { ...init, headers: { ...headers, authorization: `Bearer ${bearer}` } });
}

function query(path: string, parameters: Record<string, string>): string {
  return `${path}?${new URLSearchParams(parameters).toString()}`;
}

/**
 * Leaves out what differs between equal servers: times, ids, and scores with the order of hits, which depend on the
 * frequencies of words.
 */
function comparable(value: unknown): unknown {
  const varying = ['score', 'scores', 'real_id', 'id', 'job_id'];
  const text = JSON.stringify(value, (name, each: unknown) => {
    if (varying.includes(name) || name.endsWith('_at')) return undefined;
    if (name === 'next') return each !== null;
    return Array.isArray(each) ? each.toSorted(byText) : each;
  });
  return JSON.parse(text);
}

function byText(one: unknown, other: unknown): number {
  const [a = '', b = ''] = [one, other].map((each) => JSON.stringify(comparable(each)));
  return a < b ? -1 : a > b ? 1 : 0;
}

const reads: readonly (readonly [string, Record<string, string>])[] = [
  ...[
    'harbour',
    'tokens',
    'fox',
    'zebrafish',
    'zebrafsh',
    'walrus',
    'wallrus',
    'parseHeader',
  ].flatMap((q) =>
    ['hybrid', 'keyword', 'semantic'].map(
      (mode) => ['/v1/search', { q, mode, top_k: '50' }] as const,
    ),
  ),
  ['/v1/search', { q: 'plan', collapse: 'true' }],
  ['/v1/search', { q: 'plan', glob: '*.md' }],
  ['/v1/search', { q: 'where is parseHeader defined' }],
  ['/v1/search', { q: 'fox', filter: 'zebra = 1' }],
  ['/v1/grep', { pattern: 'parseHeader' }],
  ['/v1/grep', { pattern: 'harbour', limit: '1' }],
  ['/v1/grep', { pattern: 'walrus' }],
  ['/v1/symbols', { name: 'parseHeader' }],
  ['/v1/symbols', { name: 'zebrafish' }],
];
const pathReads = ['/v1/ls', '/v1/cat', '/v1/head', '/v1/tail', '/v1/export'] as const;

test('answers like a server that has only the visible sources', async () => {
  const everywhere = [
    ...reads,
    ...['notes', 'mix/open', 'mix', 'zebrafish', 'nothing', ''].flatMap((path) =>
      reads.map(([route, parameters]) => [route, { ...parameters, path: at(path) }] as const),
    ),
    ...[
      'notes',
      'notes/fox.md',
      'mix',
      'mix/open',
      'mix/open/plan.md',
      'notes/nothing.md',
      'mix/openwalrus.md',
      'mix/walrus',
      'mix/walrus/plan.md',
      'mix/open/../walrus/plan.md',
      'mix/open//plan.md',
      'mix/open/',
      'zebrafish/zebrafish.md',
      'nothing',
    ].flatMap((path) => pathReads.map((route) => [route, { path: at(path) }] as const)),
  ];
  for (const [route, parameters] of everywhere) {
    const url = query(route, parameters);
    const seen = await callAs(token, url);
    const expected = await call(only.host, url);
    assert.is(seen.status, expected.status, `${url}: ${JSON.stringify(seen.body)}`);
    const name = decodeURIComponent(url);
    assert.equal(comparable(seen.body), comparable(expected.body), name);
  }
});

test('shows no hidden object in any answer', async () => {
  const paths = ['', 'mix', 'mix/open', 'notes', 'nothing'];
  const urls = [
    ...reads.map(([route, parameters]) => query(route, parameters)),
    ...paths.flatMap((path) => [
      ...pathReads.map((route) => query(route, { path: at(path) })),
      query('/v1/connectors/inspect', { target: at(path) }),
      query('/v1/search', { q: 'plan', path: at(path) }),
      query('/v1/grep', { pattern: 'plan', path: at(path) }),
    ]),
    '/v1/status',
    '/v1/jobs',
    '/graphs',
    '/documents',
    '/graph/fish/stats',
    '/documents?graph_name=fish',
    '/v1/server/info',
  ];
  for (const url of urls) {
    const { body } = await callAs(token, url);
    const text = JSON.stringify(body).replaceAll(/"correct[^\]]*\]/g, '');
    const asked = hidden.test(url);
    if (!asked) assert.not.match(text, hidden, url);
  }
});

test('leaves the visible part of a source by no spelling of a path', async () => {
  const folder = `file://local${at('mix/open')}`;
  for (const spelling of [
    '..%2fwalrus/plan.md',
    '%2e%2e/walrus/plan.md',
    '%2e%2e%2fwalrus%2fplan.md',
    '%252e%252e/walrus/plan.md',
    '.%2e/walrus/plan.md',
    'x/../../walrus/plan.md',
    'x/%2e%2e/%2e%2e/walrus/plan.md',
    '..\\walrus\\plan.md',
    'link/../walrus/plan.md',
    '%2e%2e/openwalrus.md',
  ]) {
    for (const path of [`${folder}/${spelling}`, `${at('mix/open')}/${spelling}`]) {
      for (const route of pathReads) {
        const answer = await callAs(token, query(route, { path }));
        assert.ok(answer.status >= 400, `${route} ${path}: ${JSON.stringify(answer.body)}`);
        assert.not.match(JSON.stringify(answer.body), /rotate the tokens in the harbour/);
      }
      const body = { reads: [{ path }] };
      const batch = await callAs(token, '/v1/read/batch', { method: 'POST', body });
      assert.not.match(JSON.stringify(batch.body), /rotate the tokens in the harbour/);
      const grep = await callAs(token, query('/v1/grep', { pattern: 'rotate', path }));
      assert.not.match(JSON.stringify(grep.body), /rotate the tokens in the harbour/);
    }
  }
});

test('follows no link out of the visible part of a source', async () => {
  const everything = await call(
    whole.host,
    query('/v1/cat', { path: at('linked/open/link/plan.md') }),
  );
  assert.is(everything.status, 200);
  const linker = await create({ name: 'linker', paths: [at('linked/open')] });
  assert.is((await callAs(linker, query('/v1/cat', { path: at('linked/open/a.md') }))).status, 200);
  for (const path of ['linked/open/link/plan.md', 'linked/open/link']) {
    for (const route of pathReads) {
      const answer = await callAs(linker, query(route, { path: at(path) }));
      assert.is(answer.status, 404, `${route} ${path}`);
    }
  }
  const folder = query('/v1/ls', { path: at('linked/open') });
  assert.match(JSON.stringify((await call(whole.host, folder)).body), 'walrus');
  const listed = await callAs(linker, folder);
  assert.match(JSON.stringify(listed.body), 'left out by a rule of the source');
  assert.not.match(JSON.stringify(listed.body), 'walrus');
});

test('resolves links in the paths of a caller', async () => {
  assert.equal(
    await whole.engine.canonicalUris([at('linked/open/link'), at('notes'), 'web://docs']),
    [`file://local${at('linked/walrus')}`, `file://local${at('notes')}`, 'web://docs'],
  );
});

test('follows no link that takes the place of a visible folder', async () => {
  await put('swapped/open/plan.md', '# Plan\n\nRotate the tokens of the harbour.\n');
  await put('swapped/walrus/plan.md', '# Plan\n\nThe walrus plan: rotate the tokens.\n');
  await whole.engine.add({ target: at('swapped'), process: true });
  const swapper = await create({ name: 'swapper', paths: [at('swapped/open')] });
  const urls = [
    '/v1/status',
    query('/v1/grep', { pattern: 'rotate', ignore_case: 'true' }),
    query('/v1/grep', { pattern: 'rotate', ignore_case: 'true', path: at('swapped') }),
    query('/v1/grep', { pattern: 'rotate', path: at('swapped/open') }),
    query('/v1/ls', { path: at('swapped') }),
    query('/v1/ls', { path: at('swapped/open') }),
    query('/v1/cat', { path: at('swapped/open/plan.md') }),
    query('/v1/search', { q: 'rotate' }),
    query('/v1/symbols', { name: 'rotate' }),
  ];
  const answers = async (): Promise<string[]> =>
    Promise.all(urls.map(async (url) => JSON.stringify((await callAs(swapper, url)).body)));
  assert.match((await answers())[1] ?? '', 'Rotate the tokens of the harbour');
  await rename(at('swapped/open'), at('swapped/before'));
  await symlink('walrus', at('swapped/open'));
  for (const answer of await answers()) assert.not.match(answer, hidden);
  const { connectors } = (await callAs(swapper, '/v1/status')).body as { connectors: unknown[] };
  assert.equal(connectors, [], 'the folder no longer exists');
});

test('lists only visible sources and their jobs and counts', async () => {
  const { body } = await callAs(token, '/v1/status');
  const expected = await call(only.host, '/v1/status');
  const { connectors, jobs } = body as { connectors: Record<string, unknown>[]; jobs: unknown };
  const others = (expected.body as { connectors: object[] }).connectors;
  // Sizes depend on hidden sources, too.
  const withoutSizes = others.map((other) => ({ ...other, disk_bytes: null }));
  assert.equal(comparable(connectors), comparable(withoutSizes));
  // The part of a source has no job of its own.
  assert.equal(jobs, { succeeded: 1 });
  const listed = (await callAs(token, '/v1/jobs')).body as { id: string; target: string }[];
  assert.equal(
    listed.map(({ target }) => target),
    [`file://local${at('notes')}`],
  );
  for (const { id, target } of await whole.engine.jobs()) {
    const isVisible = listed.some((job) => job.id === id);
    const answer = await callAs(token, `/v1/jobs/${id}`);
    assert.is(answer.status, isVisible ? 200 : 404, `${target}`);
    const unknown = await callAs(token, '/v1/jobs/unknown');
    if (!isVisible) assert.equal(answer.body, unknown.body);
    const cancelled = await callAs(token, `/v1/jobs/${id}/cancel`, { method: 'POST' });
    assert.is(cancelled.status, isVisible ? 200 : 404);
  }
});

test('hides all graphs', async () => {
  assert.equal((await callAs(token, '/graphs')).body, { graphs: [] });
  const question = { question: 'What swims?' };
  for (const [path, init] of [
    ['/graph/GRAPH/stats', {}],
    ['/documents?graph_name=GRAPH', {}],
    ['/documents?graph_name=GRAPH&query=fish', {}],
    ['/documents/x?graph_name=GRAPH', {}],
    ['/build?graph_name=GRAPH', {}],
    ['/graph/GRAPH/neighbors/x', {}],
    ['/query?graph_name=GRAPH', { method: 'POST', body: question }],
  ] as const) {
    const answer = await callAs(token, path.replace('GRAPH', 'fish'), init);
    const expected = await callAs(token, path.replace('GRAPH', 'unknown'), init);
    assert.is(answer.status, 404, path);
    const text = JSON.stringify(answer.body).replaceAll('fish', 'unknown');
    assert.is(text, JSON.stringify(expected.body), path);
  }
  const reader = await create({ name: 'graph-reader' });
  assert.is((await callAs(reader, '/graph/fish/stats')).status, 200);
});

test('batches and answers to questions have only visible passages', async () => {
  const queries = ['zebrafish', 'walrus plan', 'harbour'].map((q) => ({ q, mode: 'semantic' }));
  const bodies = [
    ['/v1/search/batch', { queries }],
    [
      '/v1/read/batch',
      { reads: ['zebrafish/zebrafish.md', 'notes/fox.md'].map((path) => ({ path: at(path) })) },
    ],
    ['/v1/ask', { question: 'Where are the tokens of the harbour rotated?' }],
  ] as const;
  for (const [path, body] of bodies) {
    const seen = await callAs(token, path, { method: 'POST', body });
    const expected = await call(only.host, path, { method: 'POST', body });
    assert.equal(comparable(seen.body), comparable(expected.body), path);
  }
});

test('agents see only visible sources', async () => {
  const headers = { authorization: `Bearer ${token}` };
  const calls = [
    ['search', { query: 'harbour' }],
    ['grep', { pattern: 'parseHeader' }],
    ['list', {}],
    ['status', {}],
    ['read', { uri: `file://local${at('mix/walrus/plan.md')}` }],
    ['read', { uri: `file://local${at('mix/open/plan.md')}` }],
    ['ask_graph', { question: 'What swims?' }],
  ] as const;
  for (const [name, args] of calls) {
    const { text, data } = await callTool(whole.host, name, args, { headers });
    const asked = JSON.stringify(args);
    if (!hidden.test(asked)) assert.not.match(`${text}${JSON.stringify(data)}`, hidden, name);
    else assert.match(text, 'not_found');
  }
  const tools = await ask(whole.host, 'tools/list', {}, { headers });
  assert.not.match(JSON.stringify(tools.result), '"ask_graph"');
});

test('syncs and uploads only sources that it sees as a whole', async () => {
  const add = (target: string) =>
    callAs(token, '/v1/add', { method: 'POST', body: { target: at(target), process: true } });
  const synced = await add('notes');
  assert.is(synced.status, 200, JSON.stringify(synced.body));
  const refusals = [];
  for (const target of ['mix', 'mix/open', 'zebrafish', 'nothing', 'notes/deep'])
    refusals.push(await add(target));
  const manifest = { client_id: 'walrus', root: '/', files: [] };
  refusals.push(await callAs(token, '/v1/files/manifest', { method: 'POST', body: manifest }));
  refusals.push(
    await callAs(token, '/v1/upload?name=walrus', {
      method: 'POST',
      headers: { 'content-type': tarType },
      body: tarOf(),
    }),
  );
  const bodies = new Set(refusals.map(({ body }) => JSON.stringify(body)));
  assert.is(bodies.size, 1, [...bodies].join('\n'));
  assert.is(envelope(refusals[0] as Answer).code, 'forbidden');
});

test('may not use operations that concern all sources', async () => {
  for (const path of ['/metrics', '/settings']) {
    const answer = await callAs(token, path);
    assert.is(answer.status, 403, path);
    assert.not.match(JSON.stringify(answer.body), hidden);
  }
});

test('sees nothing before its source is added', async () => {
  const early = await create({ name: 'early', paths: [at('later')] });
  assert.equal(((await callAs(early, '/v1/status')).body as { connectors: [] }).connectors, []);
  const search = (await callAs(early, '/v1/search?q=harbour')).body as { results: [] };
  assert.equal(search.results, []);
  const grep = (await callAs(early, '/v1/grep?pattern=harbour')).body as { results: [] };
  assert.equal(grep.results, []);
});

test('sees one object', async () => {
  const narrow = await create({ name: 'narrow', paths: [at('mix/open/plan.md')] });
  const { results } = (await callAs(narrow, '/v1/search?q=harbour')).body as {
    results: { source: string }[];
  };
  assert.equal(
    results.map(({ source }) => source),
    [`file://local${at('mix/open/plan.md')}`],
  );
  const { entries } = (await callAs(narrow, query('/v1/ls', { path: at('mix/open') }))).body as {
    entries: { name: string }[];
  };
  assert.equal(
    entries.map(({ name }) => name),
    ['plan.md'],
  );
  assert.is((await callAs(narrow, query('/v1/cat', { path: at('mix/open/plan.md') }))).status, 200);
});

test('a token for administrators cannot have paths', async () => {
  const body = { name: 'wrong', rights: 'admin', paths: [at('notes')] };
  const answer = await call(whole.host, '/v1/tokens', { method: 'POST', body });
  assert.is(envelope(answer).code, 'validation_error');
  assert.ok(serverToken.length > 0);
});

test.run();
