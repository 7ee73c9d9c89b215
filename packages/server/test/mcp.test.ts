import { createHmac } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toolNames } from '@trove/mcp';
import { operations } from '@trove/operations';
import { waitUntil } from '@trove/test-support/waiting.js';
import { startHost } from '../src/host.js';
import { ask, callTool } from './support/agent.js';
import {
  makeWorld,
  removeWorld,
  startReal,
  type Running,
  type World,
} from './support/real-server.js';
import { call, envelope, knownToken, token, withHost } from './support/server.js';
import { emptyStatus } from './support/stub-engine.js';

const test = suite('agents at /mcp');
const graphs = { graphs: () => Promise.resolve({ graphs: [] }) };

let world: World;
let running: Running;

test.before(async () => {
  world = await makeWorld();
  await writeFile(
    join(world.docs, 'retry.ts'),
    [
      '/** Waits before the next attempt. */',
      'export function backoff(attempt: number): number {',
      '  return 2 ** attempt;',
      '}',
      '',
    ].join('\n'),
  );
  const changes = (word: string) => Array.from({ length: 80 }, (_, n) => `- Change ${n} ${word}.`);
  await writeFile(
    join(world.docs, 'CHANGES.md'),
    [
      '# 0.2.0',
      '',
      ...changes('wombat'),
      '',
      '# 0.1.0',
      '',
      '## Fixes',
      '',
      ...changes('quokka'),
      '',
    ].join('\n'),
  );
  await mkdir(join(world.docs, 'node_modules', 'knex'), { recursive: true });
  await writeFile(join(world.docs, 'node_modules', 'knex', 'index.js'), 'export const knex = 1;\n');
  const numbered = Array.from({ length: 3000 }, (_, index) => `row ${index + 1}`);
  await writeFile(join(world.docs, 'rows.txt'), `${numbered.join('\n')}\n`);
  running = await startReal(world);
  await running.engine.add({ target: world.docs, process: true });
});

test.after(async () => {
  await running.close();
  await removeWorld(world);
});

/** The URI of an object of the world. */
async function uriOf(name: string): Promise<string> {
  const { connectors } = await running.engine.status();
  return `${connectors[0]?.root_uri}/${name}`;
}

test('agents of both eras of the protocol learn the same tools', async () => {
  const greeting = await ask(running.host, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  assert.is(greeting.result?.['protocolVersion'], '2025-11-25');
  const discovered = await ask(running.host, 'server/discover', {}, { modern: true });
  assert.ok(String(discovered.result?.['supportedVersions']).includes('2026-07-28'));
  const legacy = await ask(running.host, 'tools/list');
  const modern = await ask(running.host, 'tools/list', {}, { modern: true });
  assert.equal(modern.result?.['tools'], legacy.result?.['tools']);
  const names = JSON.stringify(legacy.result?.['tools']).match(/(?<="name":")\w+/g);
  assert.equal(names, ['search', 'grep', 'read', 'list', 'status']);
});

for (const modern of [false, true]) {
  test(`search names the lines of a hit, and read shows them (${modern ? 'now' : 'before'})`, async () => {
    const found = await callTool(running.host, 'search', { query: 'backoff attempt' }, { modern });
    const [uri] = /file:\S+retry\.ts:1-4/.exec(found.text) ?? [];
    assert.ok(uri, found.text);
    assert.ok(found.text.includes('2: export function backoff'));
    const read = await callTool(running.host, 'read', { uri }, { modern });
    assert.ok(read.text.startsWith('1: /** Waits'), read.text);
    assert.ok(read.text.includes('3:   return 2 ** attempt;'));
  });
}

test('a search explains its hits on request', async () => {
  const args = { query: 'backoff wombat', explain: true };
  const { text } = await callTool(running.host, 'search', args);
  assert.match(text, /^Why: by words \d.*; has backoff \(.*; lacks wombat$/m);
});

test('arguments that models invent are understood', async () => {
  const { text: expected } = await callTool(running.host, 'search', { query: 'backoff', limit: 2 });
  for (const args of [
    { q: 'backoff', max_results: '2' },
    { text: 'backoff', topK: 2 },
    { queries: ['backoff'], num_results: 2 },
    { question: 'backoff', count: 2 },
  ]) {
    const { text } = await callTool(running.host, 'search', args);
    assert.is(text, expected, JSON.stringify(args));
  }
  const uri = await uriOf('rows.txt');
  for (const args of [
    { uri, lines: '10-12' },
    { path: `${uri}:10-12` },
    { file: uri, range: [10, 12] },
    { file_path: uri, start_line: 10, end_line: 12 },
    { filename: uri, offset: 10, limit: 3 },
    { uri: `trove://${uri}#L10-L12` },
  ]) {
    const { text } = await callTool(running.host, 'read', args);
    assert.is(text, '10: row 10\n11: row 11\n12: row 12\n', JSON.stringify(args));
  }
  const { text: lines } = await callTool(running.host, 'grep', { regex: 'row 299[0-9]$' });
  assert.is(lines.match(/row/g)?.length, 11);
});

test('an unknown argument is named, and the call still answers', async () => {
  const { text, isError } = await callTool(running.host, 'search', { q: 'fox', colour: 'red' });
  assert.not(isError);
  assert.match(text, 'quick brown fox');
  assert.match(text, 'unknown arguments: colour');
});

test('an invalid argument is an error that the model can correct', async () => {
  const { text, isError } = await callTool(running.host, 'read', { uri: 'x', lines: '9-3' });
  assert.ok(isError);
  assert.match(text, /validation_error.*"9-3"/);
  const missing = await callTool(running.host, 'search', {});
  assert.ok(missing.isError);
  assert.match(missing.text, 'query');
});

test('a truncated read continues with its cursor until the end', async () => {
  const uri = await uriOf('rows.txt');
  const read: string[] = [];
  let cursor: unknown;
  for (let calls = 0; calls < 60; calls += 1) {
    const args = { uri, max_tokens: 1000, ...(cursor === undefined ? {} : { cursor }) };
    const { data, text } = await callTool(running.host, 'read', args);
    assert.ok(Buffer.byteLength(text) <= 3000, String(Buffer.byteLength(text)));
    read.push(...(text.match(/row \d+$/gm) ?? []));
    ({ cursor } = data);
    if (cursor === undefined) break;
  }
  assert.equal(
    read,
    Array.from({ length: 3000 }, (_, index) => `row ${index + 1}`),
  );
});

test('a truncated grep and a truncated list continue with their cursors', async () => {
  for (const [name, args, pattern, count] of [
    ['grep', { pattern: 'row 1', max_tokens: 500, limit: 500 }, /row 1\d*$/gm, 1111],
    ['list', { path: world.docs, limit: 2 }, /^\S+ · \d+ B/gm, 7],
  ] as const) {
    const found: string[] = [];
    let cursor: unknown;
    for (let calls = 0; calls < 200; calls += 1) {
      const more = cursor === undefined ? {} : { cursor };
      const { data, text } = await callTool(running.host, name, { ...args, ...more });
      found.push(...(text.match(pattern) ?? []));
      ({ cursor } = data);
      if (cursor === undefined) break;
    }
    assert.is(new Set(found).size, count, name);
  }
});

test('a cursor of another call, and lines beyond the end, are explained', async () => {
  const rows = await uriOf('rows.txt');
  const { data } = await callTool(running.host, 'read', { uri: rows, max_tokens: 300 });
  const uri = await uriOf('retry.ts');
  const wrong = await callTool(running.host, 'read', { uri, cursor: data['cursor'] });
  assert.ok(wrong.isError);
  assert.match(wrong.text, 'is not from an answer to this call');
  const beyond = await callTool(running.host, 'read', { uri, lines: '900-910' });
  assert.match(beyond.text, 'ends before this part: it has 4 lines');
  const long = await callTool(running.host, 'read', { uri: await uriOf('long-line.txt') });
  assert.match(long.text, /Line 1 is longer[^]*`grep`/);
  const nowhere = await callTool(running.host, 'search', {
    query: 'fox',
    path: `${world.docs}/deep`,
  });
  assert.match(nowhere.text, /No hits for "fox" in .*deep/);
});

test('one call answers several queries and reads several objects', async () => {
  const found = await callTool(running.host, 'search', { queries: ['fox', 'backoff'], limit: 1 });
  assert.match(found.text, /## fox[^]*fox\.md[^]*## backoff[^]*retry\.ts/);
  const uris = [await uriOf('fox.md'), await uriOf('none.md'), `${await uriOf('rows.txt')}:3`];
  const read = await callTool(running.host, 'read', { uris });
  assert.match(read.text, /# Animals[^]*not_found[^]*3: row 3/);
});

test('every object is a resource', async () => {
  const uri = `trove://${await uriOf('rows.txt')}:7-8`;
  const { result } = await ask(running.host, 'resources/read', { uri }, { modern: true });
  assert.match(JSON.stringify(result?.['contents']), '7: row 7');
  const missing = await ask(
    running.host,
    'resources/read',
    { uri: 'trove://file://none/a' },
    { modern: true },
  );
  assert.is(missing.error?.code, -32_602);
  const templates = await ask(running.host, 'resources/templates/list');
  assert.match(JSON.stringify(templates.result), 'trove://{+uri}');
});

test('a read shows the definition around a line, or the lines around it', async () => {
  const uri = `${await uriOf('retry.ts')}:3`;
  const whole = await callTool(running.host, 'read', { uri, enclosing: true });
  assert.match(whole.text, /^1: .*\n2: export function backoff.*\n3: .*\n4: \}\n$/);
  const around = await callTool(running.host, 'read', { uri, context: 1 });
  assert.match(around.text, /^2: .*\n3: .*\n4: \}\n$/);
  const outline = await callTool(running.host, 'read', { uri, outline: true });
  assert.match(outline.text, 'export function backoff(attempt: number): number');
});

test('a read outside any definition says so and shows the lines around', async () => {
  const uri = `${await uriOf('rows.txt')}:50`;
  const { text, data } = await callTool(running.host, 'read', { uri, enclosing: true });
  assert.match(text, /^40: row 40\n[^]*\n60: row 60\n/);
  assert.not.match(text, 'row 61');
  assert.match(String(data['notes']), 'No definition encloses line 50');
});

test('a path below an ignored folder is answered with the rule', async () => {
  const rule = 'node_modules is ignored by "node_modules/" (built in)';
  for (const name of ['node_modules', 'node_modules/knex', 'node_modules/knex/index.js']) {
    const path = await uriOf(name);
    const found = await callTool(running.host, 'search', { query: 'knex', path });
    assert.match(String(found.data['notes']), rule, name);
    const lines = await callTool(running.host, 'grep', { pattern: 'knex', path });
    assert.match(String(lines.data['notes']), rule, name);
    assert.not.match(lines.text, 'Try `ignore_case`');
  }
  const searched = { query: 'zzzz', path: await uriOf('deep') };
  assert.not.match((await callTool(running.host, 'search', searched)).text, 'ignored');
});

test('an error names tools and no commands or operations of others', async () => {
  const outside = { path: 'file:///no/such/folder' };
  const errors = [
    await callTool(running.host, 'search', { query: 'fox', ...outside }),
    await callTool(running.host, 'grep', { pattern: 'fox', ...outside }),
    await callTool(running.host, 'list', outside),
    await callTool(running.host, 'read', { uri: await uriOf('deep') }),
    await callTool(running.host, 'read', { uri: await uriOf('none.md') }),
  ];
  for (const { text, isError } of errors) {
    assert.ok(isError, text);
    assert.match(text, '`list`');
    assert.not.match(text, /\bAdd\b|`ls`|`trove |openapi/);
  }
});

test('status finds a source by a part of its URI', async () => {
  const { engine, host } = running;
  const twins = ['knex', 'knex-old'].map((name) => join(world.root, name));
  for (const target of twins) {
    await mkdir(target);
    await engine.add({ target, process: true });
  }
  try {
    const statusOf = async (source: string) => (await callTool(host, 'status', { source })).text;
    const exact = await statusOf('knex');
    assert.match(exact, /^file:\S+\/knex · 0 objects[^\n]*$/);
    const several = await statusOf('kne');
    assert.match(several, /\/knex · [^]*\/knex-old · [^]*2 sources match "kne"/);
    assert.match(await statusOf('wombat'), 'not_found: source: wombat is not a source');
  } finally {
    for (const target of twins) await engine.remove({ target });
  }
});

test('a hit in Markdown is headed by the headings above it', async () => {
  const search = () => callTool(running.host, 'search', { query: 'quokka' });
  // The thread that reads headings may still be starting.
  await waitUntil(
    async () => JSON.stringify((await search()).data).includes('"section"'),
    'headings',
  );
  const { text, data } = await search();
  assert.match(text, /^1\. \S+CHANGES\.md:\S+ · 0\.1\.0 > Fixes · /);
  const [hit] = data['hits'] as { section: string; title: string }[];
  assert.equal([hit?.section, hit?.title], ['0.1.0 > Fixes', '0.2.0']);
});

test('the rows of operations name exactly the tools that exist', () => {
  const named = new Set(operations.flatMap(({ exposure }) => exposure.tools));
  assert.equal([...named].sort(), [...toolNames].sort());
});

test('an unknown tool is an error of the protocol', async () => {
  const { error } = await ask(running.host, 'tools/call', { name: 'delete_all', arguments: {} });
  assert.is(error?.code, -32_602);
});

test('agents may sync only where the operator allows it, and never with a pass', async () => {
  const { engine } = running;
  const bind = { host: '127.0.0.1', port: 0 };
  const host = await startHost({ engine, bind, auth: knownToken, mcpWrite: true });
  try {
    const [source] = (await engine.status()).connectors;
    const { data } = await callTool(host, 'sync', { source: source?.root_uri });
    await engine.waitForJob(String(data['job_id']));
    const unknown = await callTool(host, 'sync', { source: world.root });
    assert.match(unknown.text, 'not_found');
    const part = await callTool(host, 'sync', { source: 'docs' });
    assert.match(part.text, `Pass the URI of a source, such as ${source?.root_uri}`);
    const start = `pass.${Math.floor(Date.now() / 1000) + 60}`;
    const mac = createHmac('sha256', token).update(start).digest('base64url');
    const headers = { authorization: `Bearer ${start}.${mac}` };
    const refused = await ask(host, 'tools/call', { name: 'sync', arguments: {} }, { headers });
    assert.is(refused.error?.code, -32_602);
    assert.not((await callTool(host, 'status', {}, { headers })).isError);
  } finally {
    await host.close(0);
  }
  const refused = await ask(running.host, 'tools/call', { name: 'sync', arguments: {} });
  assert.is(refused.error?.code, -32_602);
});

test('a wrong token, a foreign page and an oversized call are refused', async () => {
  const wrong = await call(running.host, '/mcp', {
    method: 'POST',
    headers: { authorization: 'Bearer no' },
    body: {},
  });
  assert.is(wrong.status, 401);
  assert.is(envelope(wrong).code, 'unauthorized');
  const foreign = await call(running.host, '/mcp', {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
    body: {},
  });
  assert.is(envelope(foreign).code, 'origin_not_allowed');
  const large = await call(running.host, '/mcp', {
    method: 'POST',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { x: 'y'.repeat(2 ** 21) } },
  });
  assert.is(large.status, 413);
});

test('without a token, a foreign host name is refused', () =>
  withHost(
    { status: () => Promise.resolve(emptyStatus) },
    async (host) => {
      const status = await new Promise((resolve, reject) => {
        const headers = { host: 'evil.example', 'content-type': 'application/json' };
        const sent = request(`${host.url}/mcp`, { method: 'POST', headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on('error', reject);
        sent.end('{}');
      });
      assert.is(status, 403);
    },
    { auth: { mode: 'open' } },
  ));

test('malformed and deeply nested messages are refused', async () => {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  for (const body of ['{', '[]', '7', '{"id":1}', `${'['.repeat(50_000)}${']'.repeat(50_000)}`]) {
    const { status } = await call(running.host, '/mcp', { method: 'POST', headers, body });
    assert.is(status, 400, body.slice(0, 20));
  }
  const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"q":${'['.repeat(50_000)}${']'.repeat(50_000)}}}}`;
  const { status } = await call(running.host, '/mcp', { method: 'POST', headers, body: deep });
  assert.ok([200, 400].includes(status), String(status));
  assert.not((await callTool(running.host, 'status')).isError);
});

test('a hundred clients at once get their own answers', async () => {
  const rows = Array.from({ length: 100 }, (_, index) => `row ${index + 1001}`);
  const answers = await Promise.all(
    rows.map((pattern) => callTool(running.host, 'grep', { pattern, word: true })),
  );
  answers.forEach(({ text }, index) => assert.match(text, new RegExp(`: ${rows[index]}\n`)));
});

test('the work of a call ends when its client disconnects', async () => {
  let signal: AbortSignal | undefined;
  await withHost(
    {
      graph: Object.assign(Object.create(null), graphs),
      search: (_query, options) => {
        signal = options?.signal;
        return new Promise(() => undefined);
      },
    },
    async (host) => {
      for (const modern of [false, true]) {
        signal = undefined;
        const client = new AbortController();
        const asked = callTool(host, 'search', { q: 'x' }, { modern, signal: client.signal });
        await waitUntil(() => signal !== undefined, 'the call starts');
        client.abort();
        await asked.then(
          () => assert.unreachable(),
          () => undefined,
        );
        await waitUntil(() => signal?.aborted === true, 'the call ends');
      }
    },
  );
});

test.run();
