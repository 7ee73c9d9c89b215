// test-timeout: 400
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { memberOf, tarOf } from './support/archives.js';
import {
  makeWorld,
  removeWorld,
  startReal,
  type Running,
  type World,
} from './support/real-server.js';
import { call, envelope, token } from './support/server.js';

const test = suite('uploads that are broken off');

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

function folder(): string {
  return join(world.root, 'home', 'cache', 'uploads', 'default');
}

async function trees(): Promise<string[]> {
  return readdir(folder()).catch(() => []);
}

/** Files that have arrived so far, in whatever tree. */
async function arrived(): Promise<number> {
  const counts = (await trees()).map(async (tree) => {
    const names = await readdir(join(folder(), tree, 'files')).catch(() => []);
    return names.length;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 20_000; performance.now() < end;) {
    if (await holds()) return;
    await delay(20);
  }
  throw new Error(`waited in vain: ${what}`);
}

/** An upload that sends a file, and then nothing more. */
async function begun(url: string, name = 'notes') {
  const upload = request(`${url}/v1/upload?name=${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-tar' },
  });
  upload.on('error', () => undefined);
  upload.write(memberOf({ name: 'first.txt', content: 'first' }));
  upload.write(memberOf({ name: 'second.txt', content: 'second'.repeat(50_000) }));
  await until('the first file', async () => (await arrived()) >= 2);
  return upload;
}

const put = (name: string, archive: Uint8Array) =>
  call(server.host, `/v1/upload?name=${name}`, {
    method: 'POST',
    body: archive,
    headers: { 'content-type': 'application/x-tar' },
  });

test('a client that gives up in the middle leaves nothing', async () => {
  const upload = await begun(server.host.url);
  upload.destroy();
  await until('an empty folder', async () => (await trees()).length === 0);
  const status = await call(server.host, '/v1/status');
  assert.equal(status.body, { connectors: [], jobs: {} });
});

test('of two uploads of one source at once the second is refused; of another it is not', async () => {
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

test('a refusal comes while a client is still sending', async () => {
  const upload = await begun(server.host.url);
  const answered = once(upload, 'response');
  upload.write(memberOf({ name: '../out.txt', content: 'x' }));
  const [response] = (await answered) as [{ statusCode: number; resume(): void }];
  response.resume();
  assert.is(response.statusCode, 400);
  assert.equal(await trees(), []);
  upload.destroy();
});

test('an engine that closes in the middle leaves nothing', async () => {
  const upload = await begun(server.host.url);
  await server.close();
  upload.destroy();
  await until('an empty folder', async () => (await trees()).length === 0);
  server = await startReal(world);
});

test('a start with another database removes no files that were sent, only what is not whole', async () => {
  await put('kept', tarOf({ name: 'a.txt', content: 'a' }));
  const space = (await trees())[0]?.split('.')[0] ?? '';
  await server.close();
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  const [whole, cut] = ['a', 'b'].map((end) => `${space}.${child.pid}.000000000000.${end}`);
  for (const tree of [whole, cut])
    await mkdir(join(folder(), `${tree}`, 'files'), { recursive: true });
  await writeFile(join(folder(), `${whole}`, 'state.json'), '[]');
  for (const name of await readdir(join(world.root, 'home'))) {
    if (name.startsWith('metadata.db')) await rm(join(world.root, 'home', name));
  }
  server = await startReal(world);
  await until('nothing cut off', async () => !(await trees()).includes(`${cut}`));
  assert.ok((await trees()).includes(`${whole}`));
});

test('what a killed server leaves behind is removed at the next start, and nothing else', async () => {
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
  // Of a server that still runs elsewhere, as far as can be known here.
  const foreign = '0123456789abcdef.1.000000000000.000000000000';
  await mkdir(join(folder(), foreign));
  await writeFile(join(folder(), foreign, 'x'), '');
  server = await startReal(world);
  await until('only what is current', async () => (await trees()).length === 2);
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
