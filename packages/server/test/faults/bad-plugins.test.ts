// test-timeout: 600
// test-slow
// test-waits
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { add, call, jobEnd } from './support/api.js';
import { Corpus } from './support/corpus.js';
import { openAiServer } from './support/openai-server.js';
import { withTimeout } from '@trove/test-support/waiting.js';
import { randomFrom } from '@trove/test-support/random.js';
import type { ServerProcess } from './support/server-process.js';
import { World } from './support/world.js';

/* Connectors and embedders that fail during their work, behind a real server. */

const test = suite('plugins that fail');
let world: World;

test.before.each(async () => {
  world = await World.make();
});
test.after.each(() => world.remove());

interface Hits {
  readonly results: readonly { readonly source: string }[];
}

async function found(url: string, q: string, mode: 'keyword' | 'semantic'): Promise<string[]> {
  const { results } = await call<Hits>(url, `/v1/search?q=${q}&mode=${mode}&top_k=100`);
  return [...new Set(results.map(({ source }) => source))].sort();
}

/** A connector package, installed as by an operator. Files in its folder control it. */
async function installShaky(): Promise<string> {
  const folder = world.path('node_modules', 'trove-connector-shaky');
  await mkdir(folder, { recursive: true });
  const manifest = { name: 'trove-connector-shaky', type: 'module', exports: './index.js' };
  await writeFile(`${folder}/package.json`, JSON.stringify(manifest));
  await writeFile(`${folder}/index.js`, shaky);
  return folder;
}

const shaky = `
import { existsSync } from 'node:fs';
const here = (name) => existsSync(new URL(name, import.meta.url));
export default {
  kind: 'connector',
  apiVersion: 1,
  keys: ['shaky'],
  configSchema: { type: 'object', additionalProperties: false, properties: {} },
  create: () => ({
    async *list() {
      for (let n = 0; n < 30; n++) {
        if (n === 10 && here('half-way')) throw new Error('the line went dead');
        if (n % 3 === 0 && here('fewer')) continue;
        yield { path: 'note-' + n + '.md', size: 20, modifiedAt: null, fingerprint: 'always' };
      }
    },
    async read(path) {
      return { bytes: Buffer.from('A lantern is in ' + path), mediaType: 'text/markdown' };
    },
  }),
};
`;

test('an aborted listing deletes nothing, the next complete one does', async () => {
  const folder = await installShaky();
  const server = world.run();
  const url = await server.url();
  const target = 'shaky://here';
  assert.is((await jobEnd(url, await add(url, target))).status, 'succeeded');
  assert.is((await found(url, 'lantern', 'keyword')).length, 30);

  await writeFile(`${folder}/half-way`, '');
  await writeFile(`${folder}/fewer`, '');
  const broken = await jobEnd(url, await add(url, target));
  assert.equal([broken.status, broken.error], ['failed', 'connector_unhealthy']);
  assert.is((await found(url, 'lantern', 'keyword')).length, 30);

  await rm(`${folder}/half-way`);
  assert.is((await jobEnd(url, await add(url, target))).status, 'succeeded');
  assert.is((await found(url, 'lantern', 'keyword')).length, 20);
});

/** A connector that is controlled by files in its folder. */
async function installRude(scheme: string, ...behaviour: readonly string[]): Promise<string> {
  const folder = world.path('node_modules', `trove-connector-${scheme}`);
  await mkdir(folder, { recursive: true });
  const manifest = { name: `trove-connector-${scheme}`, type: 'module', exports: './index.js' };
  await writeFile(`${folder}/package.json`, JSON.stringify(manifest));
  await writeFile(`${folder}/index.js`, rude.replace('SCHEME', scheme));
  for (const name of behaviour) await writeFile(`${folder}/${name}`, '');
  return folder;
}

const rude = `
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
const does = (name) => existsSync(new URL(name, import.meta.url));
const never = () => new Promise(() => {});
if (does('import-hangs')) await never();
export default {
  kind: 'connector',
  apiVersion: 1,
  keys: ['SCHEME'],
  configSchema: { type: 'object', properties: { token: { type: 'string', writeOnly: true } } },
  create: ({ config }) => does('create-hangs') ? never() : ({
    check: async () => ({ ok: true, detail: 'here' }),
    async *list() {
      if (does('list-hangs')) await never();
      if (does('rejects')) void Promise.reject(new Error('nobody awaits this ' + config.token));
      if (does('throws')) setTimeout(() => { throw new Error('out of a timer ' + config.token); });
      if (does('emits')) setImmediate(() => new EventEmitter().emit('error', new Error('nobody listens')));
      await new Promise((resolve) => setTimeout(resolve, 50));
      yield { path: 'a.md', size: 20, modifiedAt: null, fingerprint: null };
    },
    async read() {
      if (does('read-hangs')) await never();
      return { bytes: Buffer.from('A lantern'), mediaType: 'text/markdown' };
    },
    close: () => does('close-hangs') ? never() : undefined,
  }),
};
`;

test('unhandled errors of a plugin are logged, and the server continues', async () => {
  await installRude('rude', 'rejects', 'throws', 'emits');
  const server = world.run();
  const url = await server.url();
  const config = { token: 'canary-5ecret' };
  assert.is((await jobEnd(url, await add(url, 'rude://here', { config }))).status, 'succeeded');
  for (const words of ['nobody awaits this ***', 'out of a timer ***', 'nobody listens'])
    await server.logged(words);
  assert.not.match(server.stderr, 'canary');
  assert.is((await found(url, 'lantern', 'keyword')).length, 1);
  assert.ok(server.running);
  assert.is((await server.end('SIGTERM')).code, 0);
});

test('a hanging plugin blocks no other source, no abort and no shutdown', async () => {
  const members = ['import', 'create', 'list', 'read', 'close'] as const;
  const folders = await Promise.all(members.map((member) => installRude(`rude-${member}`)));
  const targets = members.map((member) => `rude-${member}://here`);
  const corpus = new Corpus(world.path('docs'), randomFrom(3));
  await corpus.add(3);
  let server = world.run();
  let url = await server.url();
  for (const target of targets)
    assert.is((await jobEnd(url, await add(url, target))).status, 'succeeded');
  await server.end('SIGTERM');

  const hanging = members.map((member, at) => `${folders[at]}/${member}-hangs`);
  for (const file of hanging) await writeFile(file, '');
  server = world.run();
  url = await server.url();
  const adding = targets.map((target) => call(url, '/v1/add', { target }).catch(() => null));
  assert.is((await jobEnd(url, await add(url, corpus.root))).status, 'succeeded');
  await Promise.all(adding);
  await stopsInTime(server);

  for (const file of hanging) await rm(file);
  url = await (server = world.run()).url();
  for (const target of targets) {
    const [last] = await call<{ id: string }[]>(url, `/v1/jobs?target=${target}&limit=1`);
    assert.is((await jobEnd(url, last?.id ?? '')).status, 'succeeded', target);
  }
});

test('a job whose source hangs is cancelled within a second', async () => {
  await installRude('rude', 'list-hangs');
  const server = world.run();
  const url = await server.url();
  const id = await add(url, 'rude://here');
  await server.logged('job started');
  await call(url, `/v1/jobs/${id}/cancel`, {});
  assert.is((await jobEnd(url, id)).status, 'cancelled');
  await stopsInTime(server);
});

async function stopsInTime(server: ServerProcess): Promise<void> {
  const { code } = await withTimeout(server.end('SIGTERM'), 'stopping');
  assert.is(code, 0, server.stderr);
}

test('a refused text does not affect the other texts of its batch', async () => {
  const provider = await openAiServer('UNSPEAKABLE');
  try {
    const corpus = new Corpus(world.path('docs'), randomFrom(7));
    await corpus.add(40);
    await corpus.write('bad/one.md', '# Lantern\n\nAn UNSPEAKABLE lantern.\n');
    const server = world.run('home', {
      TROVE_EMBEDDING_PROVIDER: 'openai',
      TROVE_EMBEDDING_MODEL: 'test-model',
      TROVE_EMBEDDING_DIMENSION: '32',
      TROVE_EMBEDDING_BASE_URL: provider.url,
      TROVE_EMBEDDING_API_KEY: 'a-key',
    });
    const url = await server.url();
    const job = await jobEnd(url, await add(url, corpus.root));
    assert.equal([job.status, job.succeeded_objects], ['partial', 40], JSON.stringify(job));
    assert.ok(provider.refused > 0, 'nothing was refused');
    const bad = `file://local${corpus.root}/bad/one.md`;
    assert.ok((await found(url, 'unspeakable', 'keyword')).includes(bad));
    const near = await found(url, 'lantern', 'semantic');
    assert.not.ok(near.includes(bad));
    assert.is(near.length, 40);
    const { entries } = await call<{ entries: { search_status: string; reason: string }[] }>(
      url,
      `/v1/ls?path=${encodeURIComponent(bad)}`,
    );
    assert.is(entries[0]?.search_status, 'partial');
    assert.match(entries[0]?.reason ?? '', /could not be embedded/);
  } finally {
    await provider.close();
  }
});

test.run();
