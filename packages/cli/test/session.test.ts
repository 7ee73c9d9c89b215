import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { isLoopback } from '../src/session/endpoint.js';
import { chooseToken } from '../src/session/token.js';
import { fail, startApi } from './support/api-server.js';
import { temporaryHome } from './support/home.js';
import { runTrove } from './support/trove.js';

const test = suite('endpoint and token');
const routes = {
  'GET /v1/status': () => ({
    connectors: [],
    jobs: {},
    embedding: { switch: null },
    disk: {},
    disk_space: [],
  }),
};

test('chooses the endpoint: option, TROVE_ENDPOINT, active profile', async () => {
  await using home = await temporaryHome();
  await using one = await startApi(routes);
  await using two = await startApi(routes);
  await using three = await startApi(routes);
  const toml = `active = "a"\n[profiles.a]\nendpoint = "${three.endpoint}"\n[profiles.b]\nendpoint = "${two.endpoint}"\n`;
  await writeFile(join(home.path, 'client.toml'), toml);
  const env = { TROVE_ENDPOINT: two.endpoint };
  await runTrove(['status', '--endpoint', one.endpoint], { home: home.path, env });
  assert.equal(
    [one, two, three].map(({ received }) => received.length),
    [1, 0, 0],
  );
  await runTrove(['status'], { home: home.path, env });
  assert.equal(
    [one, two, three].map(({ received }) => received.length),
    [1, 1, 0],
  );
  await runTrove(['status'], { home: home.path });
  assert.equal(
    [one, two, three].map(({ received }) => received.length),
    [1, 1, 1],
  );
  await runTrove(['status', '--profile', 'b'], { home: home.path });
  assert.equal(
    [one, two, three].map(({ received }) => received.length),
    [1, 2, 1],
  );
});

test('chooses the token: TROVE_API_TOKEN, profile, token file', async () => {
  await using home = await temporaryHome();
  await using api = await startApi(routes);
  const sent = async (env: NodeJS.ProcessEnv = {}) => {
    await runTrove(['status', '--endpoint', api.endpoint], { home: home.path, env });
    return api.received.at(-1)?.headers.authorization;
  };
  assert.is(await sent(), undefined);
  await writeFile(join(home.path, 'server.token'), 'from-file\n');
  assert.is(await sent(), 'Bearer from-file');
  const profile = (token: string) =>
    writeFile(
      join(home.path, 'client.toml'),
      `active = "a"\n[profiles.a]\nendpoint = "${api.endpoint}/"\ntoken = "${token}"\n`,
    );
  await profile('literal');
  assert.is(await sent(), 'Bearer literal');
  await profile('env:MY_TOKEN');
  assert.is(await sent({ MY_TOKEN: 'from-variable' }), 'Bearer from-variable');
  assert.is(await sent({ MY_TOKEN: '' }), undefined);
  assert.is(await sent({ MY_TOKEN: 'x', TROVE_API_TOKEN: 'from-env' }), 'Bearer from-env');
});

test('sends the token of a profile only to the server of the profile', async () => {
  await using home = await temporaryHome();
  await using own = await startApi(routes);
  await using other = await startApi({
    'GET /v1/status': () => fail(401, 'unauthorized', 'a token is required'),
  });
  await writeFile(
    join(home.path, 'client.toml'),
    `active = "a"\n[profiles.a]\nendpoint = "${own.endpoint}"\ntoken = "secret"\n[profiles.b]\ntoken = "default"\n`,
  );
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    runTrove([...args], { home: home.path, env });
  await run(['status']);
  assert.is(own.received[0]?.headers.authorization, 'Bearer secret');
  const option = await run(['status', '--endpoint', other.endpoint]);
  await run(['status'], { TROVE_ENDPOINT: other.endpoint });
  await run(['status', '--profile', 'b', '--endpoint', other.endpoint]);
  assert.equal(
    other.received.map(({ headers }) => headers.authorization),
    [undefined, undefined, undefined],
  );
  assert.match(option.stderr, `The token of the profile a is only sent to ${own.endpoint}.`);
  const { stdout } = await run(['config', 'show', '--endpoint', other.endpoint]);
  assert.match(stdout, `the token of a is only for ${own.endpoint}: no header is sent`);
});

test('treats only names of this machine as loopback', () => {
  for (const yes of [
    'http://127.0.0.1:1',
    'http://127.9.8.7',
    'http://localhost:1',
    'http://[::1]:1',
  ]) {
    assert.ok(isLoopback(yes), yes);
  }
  for (const no of [
    'http://127.0.0.1.evil.example',
    'http://10.0.0.1',
    'https://trove.example',
    'http://0.0.0.0:1',
  ]) {
    assert.not(isLoopback(no), no);
  }
});

test('never sends the local token file to another machine', async () => {
  await using home = await temporaryHome();
  await writeFile(join(home.path, 'server.token'), 'from-file');
  const sources = { env: {}, profile: undefined, home: home.path };
  assert.is(chooseToken({ ...sources, loopback: true })?.value, 'from-file');
  assert.is(chooseToken({ ...sources, loopback: false }), undefined);
});

test('names the origin of a rejected token', async () => {
  await using home = await temporaryHome();
  await using closed = await startApi({
    'GET /v1/status': () => fail(401, 'unauthorized', 'the token is wrong'),
  });
  const { code, stderr } = await runTrove(['status', '--endpoint', closed.endpoint], {
    home: home.path,
    env: { TROVE_API_TOKEN: 'old' },
  });
  assert.is(code, 1);
  assert.match(stderr, 'error: the token is wrong');
  assert.match(stderr, 'The server rejected the token from TROVE_API_TOKEN.');
  assert.not.match(stderr, 'old');

  const profile = `[profiles.work]\nendpoint = "${closed.endpoint}"\ntoken = "env:WORK_TOKEN"\n`;
  await writeFile(join(home.path, 'client.toml'), profile);
  const run = (...args: string[]) =>
    runTrove([...args, '--profile', 'work', '--endpoint', closed.endpoint], { home: home.path });
  assert.match(
    (await run('status')).stderr,
    'The profile work takes its token from WORK_TOKEN, which is not set.',
  );
  assert.match((await run('config', 'show')).stdout, 'WORK_TOKEN, which is not set: no header');
});

test('rejects an invalid client.toml and names the place', async () => {
  await using home = await temporaryHome();
  const cases: [string, RegExp][] = [
    ['active = ', /client\.toml: /],
    ['activ = "a"', /unknown key "activ" in the file/],
    ['active = "a"\n[profiles.a]\nurl = "x"', /unknown key "url" in \[profiles\.a\]/],
    ['active = "b"\n[profiles.a]\n', /no profile "b"/],
    ['active = 3', /active must be a string/],
  ];
  for (const [text, reason] of cases) {
    await writeFile(join(home.path, 'client.toml'), text);
    const { code, stderr } = await runTrove(['status'], { home: home.path });
    assert.ok(code === 1 || code === 2);
    assert.match(stderr, reason);
  }
});

test('uses ~/.trove as home unless TROVE_HOME is set', async () => {
  await using home = await temporaryHome();
  await using api = await startApi(routes);
  await mkdir(join(home.path, '.trove'));
  await writeFile(join(home.path, '.trove', 'server.token'), 'default-home');
  await runTrove(['status', '--endpoint', api.endpoint], {
    home: home.path,
    env: { TROVE_HOME: '' },
  });
  assert.is(api.received[0]?.headers.authorization, 'Bearer default-home');
});

test.run();
