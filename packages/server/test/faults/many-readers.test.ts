// test-timeout: 300
// test-slow
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withTimeout, waitUntil } from '@trove/test-support/waiting.js';
import { add, jobEnd } from './support/api.js';
import { token } from './support/server-process.js';
import { World } from './support/world.js';

const readers = 64;
const largeLines = 250_000;
const line = `${'a line of a log that is read by many at once'.padEnd(79, '.')}\n`;
const allowedBytes = 300 * 2 ** 20;

const test = suite('many readers of a large object');
let world: World;

test.before.each(async () => {
  world = await World.make();
});
test.after.each(() => world.remove());

test('use little memory and delay neither other requests nor the shutdown', async () => {
  await mkdir(world.path('docs'));
  await writeFile(world.path('docs', 'large.log'), line.repeat(largeLines));
  await writeFile(world.path('docs', 'small.txt'), 'small\n');
  const server = world.run();
  const url = await server.url();
  assert.is((await jobEnd(url, await add(url, world.path('docs')))).status, 'succeeded');
  const pid = server.process.pid ?? 0;
  const before = peakMemory(pid);

  const stalled = await Promise.all(
    Array.from({ length: readers }, () => stalledExport(url, world.path('docs', 'large.log'))),
  );
  const tails = await Promise.all(
    Array.from({ length: readers }, () => ask(url, 'tail', world.path('docs', 'large.log'))),
  );
  assert.equal([...new Set(tails)], [line.repeat(20)]);
  assert.is(await ask(url, 'cat', world.path('docs', 'small.txt')), 'small\n');
  const grown = peakMemory(pid) - before;
  assert.ok(grown < allowedBytes, `${Math.round(grown / 2 ** 20)} MB more`);

  const { code } = await withTimeout(server.end('SIGTERM'), 'stopping');
  assert.is(code, 0, server.stderr);
  for (const socket of stalled) socket.destroy();
});

/** A client that requests an export and reads only its first bytes. */
async function stalledExport(url: string, path: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  let begun = false;
  socket.once('data', () => {
    begun = true;
    socket.pause();
  });
  socket.write(
    `GET /v1/export?path=${encodeURIComponent(path)} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await waitUntil(() => begun, 'the export begins');
  return socket;
}

/** Retries when too many read at once, because the machine may be slow. */
async function ask(url: string, what: 'cat' | 'tail', path: string): Promise<string> {
  const get = () =>
    fetch(`${url}/v1/${what}?path=${encodeURIComponent(path)}`, {
      headers: { authorization: `Bearer ${token}` },
    });
  let answer = await get();
  for (; answer.status === 503; answer = await get()) await answer.body?.cancel();
  const body: unknown = await answer.json();
  assert.is(answer.status, 200, JSON.stringify(body));
  assert.ok(typeof body === 'object' && body !== null && 'content' in body);
  return String(body.content);
}

/** Peak memory of a process in bytes. */
function peakMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

test.run();
