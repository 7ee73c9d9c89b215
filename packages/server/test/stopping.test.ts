import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tarOf, tarType } from './support/archives.js';
import { Command } from './support/command.js';
import { makeWorld, removeWorld, startReal } from './support/real-server.js';
import { call, envelope } from './support/server.js';
import { until } from '../../../scripts/test-support/patience.js';

const test = suite('stopping');

test('what has begun ends, what comes is refused, and nobody waits for a job', async () => {
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
    await until(() => world.gate.arrivals >= before + 2, 'both have begun');

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

test('a process that is told to stop takes an upload to its end, says that it is not ready, and exits with 0', async () => {
  const home = await mkdtemp(join(tmpdir(), 'trove-stopping-'));
  const env = { TROVE_HOME: home, TROVE_API_TOKEN: 'known' };
  const server = new Command(['run', '--bind', '127.0.0.1:0'], { cwd: home, env });
  try {
    const url = await server.url();
    const archive = tarOf({ name: 'a.md', content: '# A' });
    let status: number | undefined;
    const upload = request(`${url}/v1/upload?name=notes&process=false`, {
      method: 'POST',
      headers: { authorization: 'Bearer known', 'content-type': tarType },
    });
    upload.once('response', (response) => {
      status = response.statusCode;
      response.resume();
    });
    upload.write(archive.subarray(0, 600));
    const trees = join(home, 'uploads');
    const begun = (): boolean =>
      existsSync(trees) &&
      readdirSync(trees, { recursive: true }).some((name) => String(name).endsWith('files'));
    await until(begun, 'the upload has begun');
    const stopped = server.stop();
    let ready = 200;
    while (ready === 200) ready = (await fetch(`${url}/readyz`)).status;
    assert.is(ready, 503);
    upload.end(archive.subarray(600));
    const { code, stderr } = await stopped;
    assert.is(code, 0, stderr);
    assert.is(status, 200);
  } finally {
    await server.stop('SIGKILL');
    await rm(home, { recursive: true, force: true });
  }
});

test.run();
