import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tarOf, tarType } from './support/archives.js';
import { Command } from './support/command.js';
import {
  makeWorld,
  removeWorld,
  startReal,
  type Running,
  type World,
} from './support/real-server.js';
import { call } from './support/server.js';

const test = suite('disk usage and compaction');
const files = 400;
let world: World;
let server: Running;
test.before(async () => {
  world = await makeWorld();
  server = await startReal(world);
});
test.after(async () => {
  world.gate.open();
  await server.close();
  await removeWorld(world);
});

async function add(target: string, more: object = {}): Promise<void> {
  const body = { target, process: true, ...more };
  const { status, body: answer } = await call(server.host, '/v1/add', { method: 'POST', body });
  assert.is(status, 200, JSON.stringify(answer));
}

async function compact() {
  const env = { TROVE_HOME: join(world.root, 'home') };
  return new Command(['compact'], { cwd: world.root, env }).finished;
}

/** Sizes in MB before and after, by part. */
function sizes(stdout: string): Record<string, readonly [number, number]> {
  const rows = [...stdout.matchAll(/^(\w[\w ]*?) +([\d.]+) MB +([\d.]+) MB$/gm)];
  return Object.fromEntries(
    rows.map(([, part, before, after]) => [part, [Number(before), Number(after)]]),
  );
}

test('compacting frees the space of removed sources beside a running server', async () => {
  const large = join(world.root, 'large');
  await mkdir(large);
  for (let n = 0; n < files; n++) {
    await writeFile(
      join(large, `${n}.md`),
      `# Note ${n}\n\n${`A word of note ${n}. `.repeat(200)}\n`,
    );
  }
  await add(world.docs);
  await add(large);
  const archive = tarOf({ name: 'a.md', content: 'z'.repeat(100_000) });
  const headers = { 'content-type': tarType };
  const sent = await call(server.host, '/v1/upload?name=sent', {
    method: 'POST',
    body: archive,
    headers,
  });
  assert.is(sent.status, 200);
  const removal = `/v1/connectors?target=${encodeURIComponent(large)}`;
  assert.is((await call(server.host, removal, { method: 'DELETE' })).status, 200);

  const { code, stdout, stderr } = await compact();
  assert.is(code, 0, stderr);
  const seen = sizes(stdout);
  for (const part of ['metadata', 'index']) {
    const [before = 0, after = 0] = seen[part] ?? [];
    assert.ok(after > 0 && after < before, `${part}: ${stdout}`);
  }
  assert.ok((seen['uploads']?.[1] ?? 0) >= 0.1, stdout);
  const { body } = await call(server.host, '/v1/search?q=fox');
  assert.match(JSON.stringify(body), 'fox.md');
  await add(world.docs, { full: true });
});

test('status reports the disk usage', async () => {
  const { body } = await call(server.host, '/v1/status');
  const { disk } = body as { disk: Record<string, number> };
  for (const part of ['metadata', 'index', 'transformation_cache'])
    assert.ok((disk[part] ?? 0) > 1000, part);
  assert.ok((disk['uploads'] ?? 0) >= 100_000);
  assert.is(disk['artifact_cache'], 0);
});

test('is refused while a job runs', async () => {
  world.gate.shut();
  const body = { target: 'shop://acme', config: { key: 'k' } };
  const arrivals = world.gate.arrivals;
  assert.is((await call(server.host, '/v1/add', { method: 'POST', body })).status, 200);
  while (world.gate.arrivals === arrivals) await new Promise((resolve) => setImmediate(resolve));
  const { code, stderr } = await compact();
  assert.is(code, 1);
  assert.match(stderr, 'A job is running: shop://acme');
  world.gate.open();
});

test.run();
