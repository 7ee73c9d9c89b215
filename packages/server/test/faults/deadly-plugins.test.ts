// test-timeout: 600
// test-slow
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { JobResponse } from 'trove';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { add, call, jobEnd } from './support/api.js';
import type { ServerProcess } from './support/server-process.js';
import { World } from './support/world.js';

/* Connectors that kill their process, behind a real server that is restarted each time. */

const test = suite('plugins that kill');
let world: World;

test.before.each(async () => {
  world = await World.make();
});
test.after.each(() => world.remove());

/** A connector package, installed as by an operator. Files in its folder tell which process it kills. */
async function installDeadly(...whom: readonly string[]): Promise<string> {
  const folder = world.path('node_modules', 'trove-connector-deadly');
  await mkdir(folder, { recursive: true });
  const manifest = { name: 'trove-connector-deadly', type: 'module', exports: './index.js' };
  await writeFile(`${folder}/package.json`, JSON.stringify(manifest));
  await writeFile(`${folder}/index.js`, deadly);
  for (const name of whom) await writeFile(`${folder}/${name}`, '');
  return folder;
}

const deadly = `
import { existsSync } from 'node:fs';
const here = (name) => existsSync(new URL(name, import.meta.url));
const die = () => process.kill(process.pid, 'SIGKILL');
export default {
  kind: 'connector',
  apiVersion: 1,
  keys: ['deadly'],
  configSchema: { type: 'object', additionalProperties: false, properties: {} },
  create: () => ({
    check: async () => ({ ok: true, detail: 'here' }),
    async *list() {
      for (let n = 0; n < 30; n++) {
        if (n === 20 && here('listing')) die();
        yield { path: 'note-' + n + '.md', size: 20, modifiedAt: null, fingerprint: 'always' };
      }
      if (here('one')) yield { path: 'poison.md', size: 20, modifiedAt: null, fingerprint: null };
    },
    async read(path) {
      if (path === 'poison.md' || here('all')) die();
      return { bytes: Buffer.from('A lantern is in ' + path), mediaType: 'text/markdown' };
    },
  }),
};
`;

interface Life {
  readonly job: JobResponse;
  readonly url: string;
  readonly deaths: number;
}

/** Restarts the server whenever it dies, until the job has ended. */
async function lived(server: ServerProcess, id: string, most: number): Promise<Life> {
  let running = server;
  for (let deaths = 0; deaths <= most; deaths++) {
    const died = running.exited.then(() => null);
    const url = running.url();
    const ended = url.then((at) => jobEnd(at, id)).catch(() => died);
    const job = await Promise.race([died, ended]);
    if (job !== null) return { job, url: await url, deaths };
    running = world.run();
  }
  throw new Error(`the job goes on after ${most} deaths`);
}

async function hits(url: string): Promise<number> {
  const { results } = await call<{ results: unknown[] }>(
    url,
    '/v1/search?q=lantern&mode=keyword&top_k=100',
  );
  return results.length;
}

test('an object that kills its readers fails alone', async () => {
  await installDeadly('one');
  const server = world.run();
  const { job, url, deaths } = await lived(server, await add(await server.url(), 'deadly://x'), 9);
  assert.is(job.status, 'partial', `after ${deaths} deaths: ${JSON.stringify(job)}`);
  assert.equal(job.failures, [
    {
      path: 'poison.md',
      code: 'process_died',
      error: 'given up: the process ended 5 times while it worked on this object',
    },
  ]);
  assert.is(job.added, 30);
  assert.is(await hits(url), 30);
  assert.is(deaths, 5);
});

test('a job whose listing kills is set aside after three times, and the next add starts again', async () => {
  const folder = await installDeadly('listing');
  const server = world.run();
  const { job, url, deaths } = await lived(server, await add(await server.url(), 'deadly://x'), 4);
  assert.equal([job.status, job.error, deaths], ['failed', 'process_died', 3]);
  assert.is(job.detail, 'The process ended 3 times while it listed the source');
  const { connectors } = await call<{ connectors: { status: string; error: string }[] }>(
    url,
    '/v1/status',
  );
  assert.equal([connectors[0]?.status, connectors[0]?.error], ['error', 'process_died']);

  await rm(`${folder}/listing`);
  const next = await jobEnd(url, await add(url, 'deadly://x'));
  assert.equal([next.status, next.added + next.unchanged], ['succeeded', 30]);
  assert.is(await hits(url), 30);
});

test('a job all of whose objects kill is set aside', async () => {
  await installDeadly('all');
  const server = world.run();
  const { job, deaths } = await lived(server, await add(await server.url(), 'deadly://x'), 12);
  assert.equal([job.status, job.error], ['failed', 'process_died']);
  assert.is(deaths, 9, job.detail ?? '');
});

test.run();
