import { join } from 'node:path';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rightsLevels, type CreateTokenRequest } from 'trove';
import { waitUntil } from '@trove/test-support/waiting.js';
import { routes } from '../src/routes/table.js';
import { ask } from './support/agent.js';
import { tarOf, tarType } from './support/archives.js';
import {
  makeWorld,
  removeWorld,
  startReal,
  type Running,
  type World,
} from './support/real-server.js';
import { call, envelope, memoryLog, type Answer } from './support/server.js';

/* Tokens with rights, through HTTP on a real server with a real engine. */

const test = suite('tokens');
const log = memoryLog();
const dayS = 24 * 60 * 60;
let world: World;
let server: Running;

test.before(async () => {
  world = await makeWorld();
  server = await startReal(world, {}, { logger: log.logger });
  await server.engine.add({ target: world.docs, process: true });
});

test.after(async () => {
  await server.close();
  await removeWorld(world);
});

async function create(request: CreateTokenRequest): Promise<string> {
  const { status, body } = await call(server.host, '/v1/tokens', { method: 'POST', body: request });
  assert.is(status, 200, JSON.stringify(body));
  return (body as { token: string }).token;
}

/** Sends a request with a token. */
function callAs(
  token: string,
  path: string,
  init: Omit<RequestInit, 'body' | 'headers'> & {
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
  { host }: Pick<Running, 'host'> = server,
): Promise<Answer> {
  return call(host, path, {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${token}` },
  });
}

async function listed(name: string): Promise<Record<string, unknown>[]> {
  const { body } = await call(server.host, '/v1/tokens');
  const { tokens } = body as { tokens: Record<string, unknown>[] };
  return tokens.filter((token) => token['name'] === name);
}

test('permits the operations of its rights and refuses all others', async () => {
  for (const [level, rights] of rightsLevels.entries()) {
    const token = await create({ name: `level-${rights}`, rights });
    for (const { method, path, isPublic, name, rights: required } of routes) {
      // Their handlers wait for a body or change what other tests use.
      const isSafe = method === 'GET' || rightsLevels.indexOf(required) > level;
      if (!isSafe) continue;
      const answer = await callAs(token, path.replaceAll(/\{\w+\}/g, 'x'), { method });
      const isRefused = answer.status === 403;
      const isWithin = isPublic === true || rightsLevels.indexOf(required) <= level;
      assert.is(isRefused, !isWithin, `${rights} ${name}: ${answer.status}`);
    }
  }
});

test('applies the rights to HEAD requests, too', async () => {
  const token = await create({ name: 'header-reader' });
  for (const [path, status] of [
    ['/v1/status', 200],
    ['/v1/tokens', 403],
  ] as const) {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${server.host.url}${path}`, { method: 'HEAD', headers });
    assert.is(answer.status, status, path);
  }
});

test('names the missing right in an error', async () => {
  const token = await create({ name: 'reader' });
  const target = encodeURIComponent(world.docs);
  const answer = await callAs(token, `/v1/connectors?target=${target}`, { method: 'DELETE' });
  assert.is(envelope(answer).code, 'forbidden');
  assert.match(envelope(answer).detail, '`admin`');
  assert.match(envelope(answer).detail, '`read`');
  assert.is((await callAs(token, `/v1/search?q=fox`)).status, 200);
});

test('syncs registered sources with their own configuration, and no others', async () => {
  const token = await create({ name: 'syncer', rights: 'sync' });
  const add = (body: Record<string, unknown>) =>
    callAs(token, '/v1/add', { method: 'POST', body: { process: true, ...body } });
  assert.is((await add({ target: world.docs })).status, 200);
  assert.is((await add({ target: world.docs, full: true })).status, 200);
  const refusals = [
    await add({ target: world.docs, config: {} }),
    await add({ target: world.docs, update: true }),
    await add({ target: world.docs, schedule: { every: '1h' } }),
    await add({ target: join(world.docs, 'deep') }),
    await add({ target: join(world.root, 'nothing') }),
    await callAs(token, '/v1/upload?name=fresh', { method: 'POST', body: 'no archive' }),
    await callAs(token, '/v1/files/manifest', {
      method: 'POST',
      body: { client_id: 'fresh', root: '/', files: [] },
    }),
  ];
  for (const refusal of refusals) assert.is(envelope(refusal).code, 'forbidden');
  const details = new Set(refusals.map((refusal) => envelope(refusal).detail));
  assert.is(details.size, 1, 'the errors differ');
  const { connectors } = await server.engine.status();
  assert.is(connectors.length, 1);
});

test('uploads into a registered source with the right to sync', async () => {
  const manifest = { client_id: 'laptop', root: '/notes', files: [] };
  const bundle = { client_id: 'laptop', root: '/notes' };
  const archive = (): Buffer =>
    tarOf({ name: '.trove-meta.json', content: '{"hashes":[],"renames":[],"deletions":[]}' });
  await server.engine.uploadFiles(bundle, Readable.from([archive()]));
  const token = await create({ name: 'uploader', rights: 'sync' });
  const answer = await callAs(token, '/v1/files/manifest', { method: 'POST', body: manifest });
  assert.is(answer.status, 200, JSON.stringify(answer.body));
  const uploaded = await callAs(token, '/v1/files/upload?client_id=laptop&root=/notes', {
    method: 'PUT',
    headers: { 'content-type': tarType },
    body: archive(),
  });
  assert.is(uploaded.status, 200, JSON.stringify(uploaded.body));
  await server.engine.remove({ target: 'file://laptop/notes' });
});

test('offers agents the tool sync only with the right', async () => {
  const tools = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const { result } = await ask(server.host, 'tools/list', {}, { headers });
    return JSON.stringify(result);
  };
  const reader = await tools(await create({ name: 'agent-reader' }));
  assert.match(reader, '"search"');
  assert.not.match(reader, '"sync"');
});

test('shows a token once and stores only its hash', async () => {
  const token = await create({ name: 'shown', rights: 'sync', expires_in_s: dayS });
  assert.match(token, /^trove_[0-9a-f]{12}_[\w-]{43}$/);
  const [info] = await listed('shown');
  assert.equal(
    [info?.['rights'], info?.['last_used_at'], info?.['is_replaced']],
    ['sync', null, false],
  );
  const ends = Date.parse(String(info?.['ends_at'])) - Date.parse(String(info?.['created_at']));
  assert.is(ends, dayS * 1000);
  const secret = token.split('_').slice(2).join('_');
  assert.not.match(JSON.stringify(await call(server.host, '/v1/tokens')), secret);
  assert.not.match(JSON.stringify(log.lines), secret);
});

test('rejects changed, invented and ended tokens', async () => {
  const token = await create({ name: 'strict', expires_in_s: 1 });
  assert.is((await callAs(token, '/v1/status')).status, 200);
  const last = token.endsWith('A') ? 'B' : 'A';
  for (const wrong of [
    `${token}x`,
    token.slice(0, -1),
    token.slice(0, -1) + last,
    token.replace(/^trove_.{12}/, 'trove_000000000000'),
    token.replace('trove_', ''),
  ])
    assert.is((await callAs(wrong, '/v1/status')).status, 401, wrong);
  await waitUntil(
    async () => (await callAs(token, '/v1/status')).status === 401,
    'the end of the token',
  );
});

test('records the last use of a token', async () => {
  const token = await create({ name: 'used' });
  await callAs(token, '/v1/status');
  await waitUntil(async () => (await listed('used'))[0]?.['last_used_at'] !== null, 'the last use');
});

test('keeps a rotated token for the overlap', async () => {
  const token = await create({ name: 'rotated' });
  const rotate = async (overlap: number) => {
    const body = { overlap_s: overlap };
    const answer = await call(server.host, '/v1/tokens/rotated/rotate', { method: 'POST', body });
    return (answer.body as { token: string }).token;
  };
  const next = await rotate(dayS);
  for (const valid of [token, next]) assert.is((await callAs(valid, '/v1/status')).status, 200);
  assert.equal(
    (await listed('rotated')).map((info) => info['is_replaced']),
    [true, false],
  );
  const last = await rotate(0);
  assert.is((await callAs(next, '/v1/status')).status, 401);
  assert.is((await callAs(last, '/v1/status')).status, 200);
});

test('ends a revoked token within seconds, also on other servers', async () => {
  const other = await startReal(world);
  try {
    const token = await create({ name: 'revoked' });
    assert.is((await callAs(token, '/v1/status', {}, other)).status, 200);
    assert.is((await callAs(token, '/v1/status')).status, 200);
    await call(server.host, '/v1/tokens/revoked', { method: 'DELETE' });
    assert.is((await callAs(token, '/v1/status')).status, 401);
    const start = performance.now();
    await waitUntil(
      async () => (await callAs(token, '/v1/status', {}, other)).status === 401,
      'the other server',
    );
    assert.ok(performance.now() - start < 5000, 'the other server accepted the token too long');
  } finally {
    await other.close();
  }
});

test('logs each change of tokens with its author', async () => {
  const admin = await create({ name: 'boss', rights: 'admin' });
  const body = { name: 'audited', rights: 'sync' };
  await callAs(admin, '/v1/tokens', { method: 'POST', body });
  await callAs(admin, '/v1/tokens/audited/rotate', { method: 'POST', body: { overlap_s: 5 } });
  await callAs(admin, '/v1/tokens/audited', { method: 'DELETE' });
  const lines = log.lines.filter(({ fields }) => fields['token_name'] === 'audited');
  assert.equal(
    lines.map(({ level, message, fields }) => [level, message, fields['by']]),
    [
      ['info', 'token created', 'boss'],
      ['info', 'token rotated', 'boss'],
      ['info', 'token revoked', 'boss'],
    ],
  );
  const [created] = log.lines.filter(({ fields }) => fields['token_name'] === 'boss');
  assert.is(created?.fields['by'], 'the token of the server');
});

test('refuses invalid requests for tokens', async () => {
  for (const body of [
    {},
    { name: '' },
    { name: 'a b' },
    { name: '../x' },
    { name: 'x', rights: 'root' },
    { name: 'x', expires_in_s: 0 },
  ]) {
    const answer = await call(server.host, '/v1/tokens', { method: 'POST', body });
    assert.is(envelope(answer).code, 'validation_error', JSON.stringify(body));
  }
});

test.run();
