import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '@trove/test-support/manual-clock.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { serve } from '../src/commands/serve.js';
import { loadConfig } from '../src/config/load.js';
import { tarOf, tarType } from './support/archives.js';
import { makeWorld, removeWorld, startReal } from './support/real-server.js';
import { call, envelope, token } from './support/server.js';

const test = suite('stopping');

test('finishes requests in flight, refuses new ones, and does not wait for jobs', async () => {
  const world = await makeWorld();
  const server = await startReal(world);
  try {
    const config = { key: 's3cret' };
    const add = (target: string) =>
      call(server.host, '/v1/add', { method: 'POST', body: { target, config, process: true } });
    assert.is((await add('shop://acme')).status, 200);
    world.gate.shut();
    const before = world.gate.arrivals;
    const adding = add('shop://other');
    const reading = call(server.host, '/v1/head?path=shop://acme/goods');
    await waitUntil(() => world.gate.arrivals >= before + 2, 'both have begun');

    const closing = server.engine.close();
    assert.is(envelope(await adding).code, 'engine_closed');
    for (const path of ['/readyz', '/v1/status']) {
      const refused = await call(server.host, path);
      assert.is(refused.status, 503);
      assert.is(envelope(refused).code, 'engine_closed');
    }
    assert.is((await call(server.host, '/healthz')).status, 200);
    world.gate.open();
    const { status, body } = await reading;
    assert.is(status, 200);
    assert.match(JSON.stringify(body), 'anvil');
    await closing;
  } finally {
    world.gate.open();
    await server.close();
    await removeWorld(world);
  }
});

test('finishes an upload while other requests learn that the server is not ready', async () => {
  const home = await mkdtemp(join(tmpdir(), 'trove-stopping-'));
  // Requests in flight get three seconds, which may be too short on a busy machine.
  using clock = new ManualClock(3000);
  const env = { TROVE_HOME: home, TROVE_API_TOKEN: token };
  const options = [{ option: '--bind', path: ['server', 'bind'], value: '127.0.0.1:0' }];
  const server = await serve(await loadConfig({ cwd: home, env, options }), silentLogger);
  try {
    const archive = tarOf({ name: 'a.md', content: '# A' });
    const upload = request(`${server.url}/v1/upload?name=notes&process=false`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': tarType },
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      upload.once('response', resolve).once('error', reject);
    });
    upload.write(archive.subarray(0, 600));
    const trees = join(home, 'uploads');
    const begun = (): boolean =>
      existsSync(trees) &&
      readdirSync(trees, { recursive: true }).some((name) => String(name).endsWith('files'));
    await waitUntil(begun, 'the upload has begun');
    const closed = server.close();
    assert.is((await fetch(`${server.url}/readyz`)).status, 503);
    assert.ok(clock.waiting.length > 0, 'what has begun is waited for');
    upload.end(archive.subarray(600));
    const response = await answered;
    assert.is(response.statusCode, 200);
    response.resume();
    await closed;
  } finally {
    await server.close();
    await rm(home, { recursive: true, force: true });
  }
});

test('an unresponsive disk does not make the shutdown fail', async () => {
  const stop = new URL('../src/commands/stop.ts', import.meta.url).href;
  const script = `
    import { stat } from 'node:fs/promises';
    import { runUntilStopped } from ${JSON.stringify(stop)};
    const close = async () => {
      for (let n = 0; n < 50; n++) void stat(process.execPath);
    };
    const logger = { info() {}, warn: console.error, error: console.error };
    const closable = { close, redact: String, superseded: new Promise(() => {}) };
    await runUntilStopped(Promise.resolve(closable), logger);
    setInterval(() => {}, 1000);
    process.kill(process.pid, 'SIGTERM');
  `;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  assert.equal(await once(child, 'close'), [0, null], said);
});

test.run();
