// test-timeout: 400
// test-waits
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import { connect } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { TroveError, type Plugin } from '@trove/core';
import { defineMetadataStore } from '@trove/core/store';
import storePlugins from '@trove/store-knex';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { waitUntil } from '@trove/test-support/waiting.js';
import { memberOf, tarOf } from './support/archives.js';
import {
  makeWorld,
  removeWorld,
  startReal,
  type Running,
  type World,
} from './support/real-server.js';
import { call, envelope, token } from './support/server.js';
import { treesIn } from './support/trees.js';

const test = suite('interrupted uploads');

let world: World;
let server: Running;

test.before.each(async () => {
  world = await makeWorld();
  server = await startReal(world);
});
test.after.each(async () => {
  await server.close();
  await removeWorld(world);
});

async function trees(): Promise<string[]> {
  return treesIn(join(world.root, 'home'));
}

/** Files received so far, in any tree. */
async function arrived(): Promise<number> {
  const counts = (await trees()).map(async (tree) => {
    const names = await readdir(join(tree, 'files')).catch(() => []);
    return names.length;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** An upload that sends a file and then stalls. */
async function begun(url: string, name = 'notes') {
  const upload = request(`${url}/v1/upload?name=${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-tar' },
  });
  upload.on('error', () => undefined);
  upload.write(memberOf({ name: 'first.txt', content: 'first' }));
  upload.write(memberOf({ name: 'second.txt', content: 'second'.repeat(50_000) }));
  await waitUntil(async () => (await arrived()) >= 2, 'the first file');
  return upload;
}

const put = (name: string, archive: Uint8Array) =>
  call(server.host, `/v1/upload?name=${name}`, {
    method: 'POST',
    body: archive,
    headers: { 'content-type': 'application/x-tar' },
  });

test('a client that gives up midway leaves nothing', async () => {
  const upload = await begun(server.host.url);
  upload.destroy();
  await waitUntil(async () => (await trees()).length === 0, 'an empty folder');
  const status = await call(server.host, '/v1/status');
  assert.equal((status.body as { connectors: unknown }).connectors, []);
});

test('a concurrent upload of the same source is refused, of another source not', async () => {
  const upload = await begun(server.host.url);
  const archive = tarOf({ name: 'a.txt', content: 'a' });
  assert.is(envelope(await put('notes', archive)).code, 'sync_already_running');
  assert.is((await put('others', archive)).status, 200);
  const answered = once(upload, 'response');
  upload.end(Buffer.alloc(1024));
  const [response] = (await answered) as [{ statusCode: number; resume(): void }];
  response.resume();
  assert.is(response.statusCode, 200);
  assert.is((await put('notes', archive)).status, 200);
});

test('a refusal arrives while the client is still sending', async () => {
  const upload = await begun(server.host.url);
  const answered = once(upload, 'response');
  upload.write(memberOf({ name: '../out.txt', content: 'x' }));
  const [response] = (await answered) as [{ statusCode: number; resume(): void }];
  response.resume();
  assert.is(response.statusCode, 400);
  assert.equal(await trees(), []);
  upload.destroy();
});

test('a refused client may continue sending and reads the response', async () => {
  const { hostname, port } = new URL(server.host.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const errors: unknown[] = [];
  socket.on('error', (error) => errors.push(error));
  const body = Buffer.alloc(1024 * 1024);
  socket.write(
    `POST /v1/upload?name=notes HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer wrong\r\n` +
      `Content-Type: application/x-tar\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  await once(socket, 'end');
  assert.match(received, /^HTTP\/1\.1 401 /);
  assert.match(received, 'unauthorized');
  const closed = once(socket, 'close');
  for (let from = 0; from < body.length; from += 65_536) {
    const piece = body.subarray(from, from + 65_536);
    await new Promise((resolve) => socket.write(piece, resolve));
  }
  socket.end();
  await closed;
  assert.equal(errors, []);
});

test('an engine that closes midway leaves nothing', async () => {
  const upload = await begun(server.host.url);
  await server.close();
  upload.destroy();
  await waitUntil(async () => (await trees()).length === 0, 'an empty folder');
  server = await startReal(world);
});

test('a start with another database keeps uploads of others', async () => {
  await put('kept', tarOf({ name: 'a.txt', content: 'a' }));
  const before = await trees();
  await server.close();
  for (const name of await readdir(join(world.root, 'home'))) {
    if (name.startsWith('metadata.db')) await rm(join(world.root, 'home', name));
  }
  server = await startReal(world);
  await put('kept', tarOf({ name: 'b.txt', content: 'b' }));
  await server.close();
  const left = (await trees()).map((tree) => `${dirname(tree)}/${ofDead(tree)}`);
  for (const tree of left) await mkdir(join(tree, 'files'), { recursive: true });
  server = await startReal(world);
  const swept = left.filter((tree) => !before.some((other) => dirname(other) === dirname(tree)));
  assert.is(swept.length, 1);
  await waitUntil(async () => !(await trees()).includes(`${swept[0]}`), 'what is its own is swept');
  const now = await trees();
  for (const tree of [...before, ...left]) assert.is(now.includes(tree), tree !== swept[0], tree);
  assert.is((await call(server.host, '/v1/cat?path=file://kept/b.txt')).status, 200);
});

test('clients that send nothing do not delay others', async () => {
  let answers = 0;
  const idle = (method: string, path: string, type: string): ClientRequest => {
    const asked = request(`${server.host.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': type,
        'transfer-encoding': 'chunked',
      },
    });
    asked.on('error', () => undefined).on('response', () => void answers++);
    asked.flushHeaders();
    return asked;
  };
  const idlers = Array.from({ length: 20 }, (_, n) => [
    idle('POST', `/v1/upload?name=idle-${n}`, 'application/x-tar'),
    idle('POST', '/v1/files/manifest', 'application/json'),
  ]).flat();
  assert.is((await put('notes', tarOf({ name: 'a.txt', content: 'a' }))).status, 200);
  const manifest = await call(server.host, '/v1/files/manifest', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: 'someone', root: '/', files: [] }),
  });
  assert.is(manifest.status, 200);
  assert.is(answers, 0, 'they still wait');
  for (const each of idlers) each.destroy();
});

/** The database, whose response to the second job is lost while it commits. */
function losingAnAnswer(commit: Promise<void>, committed: () => void): Plugin {
  const [plugin] = storePlugins;
  return defineMetadataStore({
    ...plugin,
    create: async (context) => {
      const store = await plugin.create(context);
      const create = store.jobs.create.bind(store.jobs);
      let jobs = 0;
      store.jobs.create = async (job) => {
        if (++jobs !== 2) return create(job);
        void commit.then(() => create(job)).then(committed);
        throw new TroveError('storage_unavailable', 'The connection was lost');
      };
      return store;
    },
  });
}

test('keeps files of a commit whose outcome is unknown', async () => {
  await server.close();
  let commit = (): void => {};
  let committed = (): void => {};
  const switched = new Promise<void>((resolve) => (committed = resolve));
  const lost = losingAnAnswer(new Promise((resolve) => (commit = resolve)), () => committed());
  server = await startReal(world, {}, { plugins: [lost] });
  assert.is((await put('notes', tarOf({ name: 'a.txt', content: 'old' }))).status, 200);
  const answer = await put('notes', tarOf({ name: 'a.txt', content: 'new' }));
  assert.is(envelope(answer).code, 'storage_unavailable');
  commit();
  await switched;
  const { body } = await call(server.host, '/v1/cat?path=file://notes/a.txt');
  assert.match(JSON.stringify(body), '"content":"new"');
});

/** The name of a tree that a process before the last boot was writing. */
function ofDead(tree: string): string {
  const [space, pid] = basename(tree).split('.');
  return `${space}.${pid}.000000000000.000000000000`;
}

test('the next start removes exactly the leftovers of a killed server', async () => {
  assert.is((await put('kept', tarOf({ name: 'a.txt', content: 'a' }))).status, 200);
  const kept = await trees();
  await server.close();
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '..', 'dist', 'bin.js'), 'run', '--bind', '127.0.0.1:0'],
    {
      env: { ...process.env, TROVE_HOME: join(world.root, 'home'), TROVE_API_TOKEN: token },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  try {
    const upload = await begun(await urlOf(child.stderr), 'killed');
    assert.is((await trees()).length, 2);
    child.kill('SIGKILL');
    await once(child, 'exit');
    upload.destroy();
  } finally {
    child.kill('SIGKILL');
  }
  // The tree of a server that, as far as known, still runs elsewhere.
  const foreign = join(dirname(`${kept[0]}`), '0123456789abcdef.1.000000000000.000000000000');
  await mkdir(foreign);
  await writeFile(join(foreign, 'x'), '');
  server = await startReal(world);
  await waitUntil(async () => (await trees()).length === 2, 'only what is current');
  assert.equal((await trees()).sort(), [...kept, foreign].sort());
  const text = await call(server.host, '/v1/cat?path=file://kept/a.txt');
  assert.is(text.status, 200);
});

async function urlOf(log: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const piece of log) {
    text += String(piece);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error(`the server did not start: ${text}`);
}

test.run();
