import { defineConnector } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { root, World } from './support/engine.js';

const test = suite('secrets of sources');

test('a secret in plain text is accepted with a warning', async () => {
  const world = new World();
  const engine = await world.open();
  world.source.token = 'canary-5ecret';
  const add = async (config: Record<string, unknown> | null) =>
    (await engine.add({ target: root, config, update: true, process: true })).warnings;
  const [warning = '', ...others] = await add({ token: 'canary-5ecret' });
  assert.match(warning, /config\.token is stored as plain text.*"env:NAME" or "file:\/path"/);
  assert.equal(others, []);
  assert.equal(await add(null), [warning]);
  process.env['TROVE_TEST_CANARY'] = 'canary-5ecret';
  assert.equal(await add({ token: 'env:TROVE_TEST_CANARY' }), []);
  delete process.env['TROVE_TEST_CANARY'];
  await engine.close();
});

test("an operator's secret is not sent to a host that a source chooses", async () => {
  const seen: unknown[] = [];
  const plugin = defineConnector({
    keys: ['remote'],
    configSchema: {
      type: 'object',
      properties: { base_url: { type: 'string' }, token: { type: 'string', writeOnly: true } },
    },
    create: ({ config }) => {
      seen.push(config);
      return { async *list() {}, read: () => Promise.reject(new Error('nothing is read')) };
    },
  });
  const operator = { base_url: 'https://good.example', token: 'of-the-operator' };
  const pluginConfig = { 'connector:remote': operator };
  const engine = await new World().open({ plugins: [plugin], pluginConfig });
  try {
    const target = 'remote://a';
    const config = { base_url: 'https://evil.example' };
    for (const ask of [engine.add, engine.probe, engine.estimate]) {
      assert.is((await rejection(() => ask({ target, config }))).code, 'config_invalid');
    }
    assert.equal(seen, []);
    await engine.probe({ target });
    await engine.probe({ target, config: { ...config, token: 'of-the-source' } });
    assert.equal(seen, [operator, { ...config, token: 'of-the-source' }]);
  } finally {
    await engine.close();
  }
});

test.run();
