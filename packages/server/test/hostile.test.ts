import { execFileSync } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Caller } from './support/caller.js';
import {
  makeWorld,
  removeWorld,
  startReal,
  type Running,
  type World,
} from './support/real-server.js';
import { call, memoryLog } from './support/server.js';

/* Attacks of a caller against a real server: reading outside a source, breaking queries, races. */

const test = suite('hostile values');
const caller = new Caller();
const { lines, logger } = memoryLog();
let world: World;
let server: Running;

test.before(async () => {
  world = await makeWorld();
  await writeFile(join(world.root, 'private.txt'), 'c4n4ry\n');
  await symlink(join(world.root, 'private.txt'), join(world.docs, 'way-out.txt'));
  await symlink(world.root, join(world.docs, 'up'));
  server = await startReal(world, {}, { logger });
  await caller.call(server.host, 'addSource', { body: { target: world.docs, process: true } });
});
test.after(async () => {
  await server.close();
  await removeWorld(world);
});

test('no spelling of a path leaves the source', async () => {
  const { docs } = world;
  for (const path of [
    `${docs}/../private.txt`,
    `${docs}/deep/../../private.txt`,
    `${docs}/./../private.txt`,
    `${docs}//..//private.txt`,
    `${docs}/..%2fprivate.txt`,
    `${docs}/%2e%2e/private.txt`,
    `file://local${docs}/%2e%2e/private.txt`,
    `file://local${docs}/%2e%2e%2fprivate.txt`,
    `file://local${docs}/%252e%252e/private.txt`,
    `file://local${docs}/..\\private.txt`,
    `file://other${docs}/fox.md`,
    `file://local${docs}/way-out.txt`,
    `file://local${docs}/up/private.txt`,
    `${docs}/deep/zoo.ts/../../../private.txt`,
    join(world.root, 'private.txt'),
    `${docs}-x/private.txt`,
    '/etc/passwd',
    '/',
  ]) {
    for (const operation of ['cat', 'head', 'tail', 'export', 'ls']) {
      const { status, body } = await caller.call(server.host, operation, { query: { path } });
      assert.not.match(JSON.stringify(body), 'c4n4ry', `${operation} ${path}`);
      assert.not.match(JSON.stringify(body), 'root:', `${operation} ${path}`);
      if (operation !== 'ls')
        assert.ok([400, 403, 404].includes(status), `${operation} ${path} ${status}`);
    }
  }
  const { body } = await caller.call(server.host, 'grep', { query: { pattern: 'c4n4ry' } });
  assert.not.match(JSON.stringify(body), 'private');
  const found = await caller.call(server.host, 'search', { query: { q: 'c4n4ry' } });
  assert.not.match(JSON.stringify(found.body), 'private');
});

test('no value breaks a query', async () => {
  const values = [
    `'; DROP TABLE jobs; --`,
    `" OR 1=1 --`,
    `\\`,
    `%`,
    `_`,
    'x'.repeat(9999),
    `\u202e\ufeff\u0001`,
    `\ud83d\ude00`,
    'é'.repeat(3000),
    `a:b:c AND NOT (`,
    `* ? [a-z] {1,2} (?<x>`,
  ];
  for (const value of values) {
    for (const [operation, query] of [
      ['search', { q: value }],
      ['search', { q: value, mode: 'keyword' }],
      ['search', { q: 'x', filter: value }],
      ['search', { q: 'x', filter: `path like "${value}"` }],
      ['search', { q: 'x', path: `file://local${world.docs}/${value}` }],
      ['search', { q: 'x', kind: value }],
      ['grep', { pattern: value }],
      ['grep', { pattern: value, regex: true }],
      ['grep', { pattern: 'x', path: `${world.docs}/${value}` }],
      ['ls', { path: `${world.docs}/${value}` }],
      ['cat', { path: `${world.docs}/${value}` }],
      ['cat', { path: join(world.docs, 'fox.md'), locator: JSON.stringify({ id: value }) }],
      ['inspectConnector', { target: value }],
      ['listJobs', { status: value }],
      ['listJobs', { target: `shop://${value}` }],
    ] as const) {
      const { status } = await caller.call(server.host, operation, { query });
      assert.ok(status < 500, `${operation} ${JSON.stringify(query).slice(0, 100)}: ${status}`);
    }
    const { status } = await caller.call(server.host, 'getJob', {
      params: { job_id: value.slice(0, 200) },
    });
    assert.is(status, 404, value.slice(0, 50));
  }
  assert.is((await caller.call(server.host, 'status')).status, 200);
});

test('a regular expression that never ends is cut off, and others are answered meanwhile', async () => {
  await writeFile(join(world.docs, 'evil.txt'), `${'a'.repeat(40)}!\n`);
  const evil = caller.call(server.host, 'grep', { query: { pattern: '^(a+)+$', regex: true } });
  const { status } = await caller.call(server.host, 'status');
  assert.is(status, 200);
  assert.ok([200, 422, 504].includes((await evil).status));
});

test('of four concurrent adds, one is accepted and three are told that it runs', async () => {
  const target = 'shop://race';
  world.gate.shut();
  const body = { target, config: { key: 'k' } };
  const adding = () => caller.call(server.host, 'addSource', { body });
  const answers = await Promise.all([adding(), adding(), adding(), adding()]);
  world.gate.open();
  assert.equal(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [200, 409, 409, 409],
  );
});

test('a connector configuration cannot change object prototypes', async () => {
  for (const config of [
    '{"constructor":{"prototype":{"x":1}},"key":"k"}',
    '{"toString":1,"key":"k"}',
  ]) {
    const { status } = await call(server.host, '/v1/connectors/probe', {
      method: 'POST',
      body: `{"target":"shop://p","config":${config}}`,
      headers: { 'content-type': 'application/json' },
    });
    assert.is(status, 400);
  }
  assert.is(({} as Record<string, unknown>)['x'], undefined);
});

test('references to pipes and devices do not block or reveal what exists', async () => {
  const fifo = join(world.root, 'fifo');
  execFileSync('mkfifo', [fifo]);
  const probing = (path: string) =>
    caller.call(server.host, 'probeConnector', {
      body: { target: 'shop://keyed', config: { key: `file:${path}` } },
    });
  const paths = Array.from({ length: 50 }, (_, n) => [fifo, '/dev/zero', `/nope-${n}`]).flat();
  const answers = await Promise.all(paths.map(probing));
  assert.equal([...new Set(answers.map(({ status }) => status))], [400]);
  assert.is(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
  assert.is((await caller.call(server.host, 'ls', { query: { path: world.docs } })).status, 200);
});

test('a password in a target is refused, and not repeated', async () => {
  for (const operation of ['addSource', 'probeConnector', 'estimateConnector']) {
    for (const target of ['shop://ann:c4n4ry@host', 'shop://ann:c4n4%72y%40x@host']) {
      const { status, body } = await caller.call(server.host, operation, { body: { target } });
      assert.is(status, 422);
      assert.not.match(JSON.stringify(body), /c4n4/);
    }
  }
  assert.not.match(JSON.stringify(lines), 'c4n4%72y');
});

test('the longest target and configuration are processed quickly', async () => {
  const began = performance.now();
  for (const [target, key] of [
    [`shop://${':'.repeat(500_000)}`, 'file:/nope'],
    [`shop:///${':'.repeat(500_000)}`, 'file:/nope'],
    ['shop://keyed', `https://host/${'?key'.repeat(200_000)}`],
  ]) {
    const body = { target, config: { key, place: key } };
    const { status } = await caller.call(server.host, 'probeConnector', { body });
    assert.ok(status < 500, String(status));
  }
  assert.ok(performance.now() - began < 5000);
});

test('none of these requests caused an internal error', () => {
  const failures = lines.filter(
    ({ level, message }) => level === 'error' && message === 'request failed',
  );
  assert.equal(
    failures.map(({ fields }) => String(fields['error'])),
    [],
  );
});

test.run();
