import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { defineConnector } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { root, sync, World } from './support/engine.js';

const test = suite('an engine and its plugins');

test("merges an operator's plugin settings below the settings of a source", async () => {
  const seen: unknown[] = [];
  const plugin = defineConnector({
    keys: ['mail'],
    configSchema: {
      type: 'object',
      properties: { host: { type: 'string' }, port: { type: 'integer', default: 25 } },
    },
    create: ({ config }) => {
      seen.push(config);
      return { async *list() {}, read: async () => ({ bytes: new Uint8Array() }) };
    },
  });
  const open = (config: Readonly<Record<string, unknown>>) =>
    new World().open({ plugins: [plugin], pluginConfig: { 'connector:mail': config } });
  const engine = await open({ host: 'a.example' });
  try {
    await engine.probe({ target: 'mail://x' });
    await engine.probe({ target: 'mail://x', config: { host: 'b.example' } });
  } finally {
    await engine.close();
  }
  assert.equal(seen, [
    { host: 'a.example', port: 25 },
    { host: 'b.example', port: 25 },
  ]);
  const wrong = await open({ hots: 'a.example' });
  const error = await rejection(() => wrong.probe({ target: 'mail://x' }));
  await wrong.close();
  assert.is(error.code, 'config_invalid');
  assert.match(error.message, 'hots');
});

test('two engines in one process are independent', async () => {
  const [first, second] = [new World(), new World()];
  first.source.set('a.md', 'apples');
  second.source.set('a.md', 'pears');
  const one = await first.open();
  const two = await second.open({ namespace: 'other' });
  await Promise.all([sync(one), sync(two)]);
  await one.close();
  assert.is((await rejection(() => one.search({ q: 'apples' }))).code, 'engine_closed');
  const { results } = await two.search({ q: 'apples pears', mode: 'keyword' });
  assert.equal(
    results.map(({ content }) => content),
    ['pears'],
  );
  assert.equal(
    (await two.status()).connectors.map(({ root_uri: uri }) => uri),
    [root],
  );
  await two.close();
  await two.close();
});

test('runs in an inline program with options that threads reject', async () => {
  const program = `
    import { createEngine } from '@trove/engine';
    import { defineVectorIndex } from '@trove/core/index';
    import stores from '@trove/store-knex';
    import * as kit from '@trove/testkit';
    const source = new kit.MemorySource();
    source.set('a.md', 'apples');
    const index = defineVectorIndex({
      keys: ['memory'],
      configSchema: { type: 'object' },
      create: () => new kit.MemoryVectorIndex(new kit.MemoryVectorStorage()),
    });
    const engine = await createEngine({
      plugins: [kit.memoryConnector(source), ...stores, kit.memoryEmbedder(), index],
      metadata: { backend: 'sqlite', config: { path: process.argv[1] } },
      index: { uri: 'memory://index' },
      embedding: { provider: 'memory' },
    });
    const { job_id } = await engine.add({ target: 'memory://local', process: true });
    console.log((await engine.job(job_id)).status);
    await engine.close();
  `;
  const run = promisify(execFile);
  const folder = await mkdtemp(join(tmpdir(), 'trove-engine-'));
  const options = ['--max-old-space-size=512', '--input-type=module', '-e', program];
  try {
    const database = join(folder, 'metadata.db');
    const { stdout } = await run(process.execPath, [...options, database], {
      cwd: import.meta.dirname,
    });
    assert.is(stdout.trim(), 'succeeded');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.run();
