import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { freePort } from '@trove/test-support/free-port.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { CommandError } from '@trove/commands';
import { readBind, parseBind } from '../src/serve/bind.js';
import { serveFiles } from '../src/serve/files.js';
import { isHealthy } from '../src/serve/health.js';
import { locateServer } from '../src/serve/server-command.js';
import { withLock } from '../src/serve/lock.js';
import { followLog, tailLog } from '../src/serve/log.js';
import { processIdentity } from '../src/serve/processes.js';
import { prepareFolder, readRecord } from '../src/serve/record.js';
import { startServer } from '../src/serve/start.js';
import { stopServer } from '../src/serve/stop.js';
import { temporaryHome } from './support/home.js';
import { runTrove } from './support/trove.js';

const test = suite('a server in the background');
const scriptPath = fileURLToPath(new URL('./fixtures/server.mjs', import.meta.url));

async function start(home: string, mode = 'good', graceMs?: number) {
  prepareFolder(home);
  const address = parseBind(`127.0.0.1:${await freePort()}`);
  const record = await startServer({
    home,
    env: { ...process.env, MODE: mode },
    address,
    config: '/some/server.toml',
    command: { program: process.execPath, args: [scriptPath] },
  });
  return { record, stop: () => stopServer(home, record, graceMs) };
}

test('starts, records and stops a server', async () => {
  await using home = await temporaryHome();
  const { record, stop } = await start(home.path);
  try {
    assert.ok(await isHealthy(record.endpoint));
    assert.equal(readRecord(home.path), record);
    const { pid } = serveFiles(home.path);
    assert.is((await readFile(pid, 'utf8')).split('\n')[0], String(record.pid));
    assert.is((await stat(pid)).mode & 0o777, 0o600);
    assert.is((await stat(serveFiles(home.path).log)).mode & 0o777, 0o600);
    assert.match(tailLog(home.path, 9), `run --bind ${record.bind} --config /some/server.toml`);
    assert.match(tailLog(home.path, 9), 'memory: 2 arenas, blocks of 65536 given back');
    assert.match(tailLog(home.path, 9), 'options: --max-semi-space-size=4');
  } finally {
    assert.is(await stop(), true);
  }
  assert.is(readRecord(home.path), undefined);
  assert.not(await isHealthy(record.endpoint));
});

test('shows the log of a server that dies at the start and keeps no record', async () => {
  await using home = await temporaryHome();
  try {
    await start(home.path, 'dies');
    assert.unreachable();
  } catch (error) {
    assert.instance(error, CommandError);
    assert.match(String(error), 'the server ended with code 3');
    assert.match(String(error), 'cannot open the index');
  }
  assert.is(readRecord(home.path), undefined);
});

test('kills a server that ignores the request to stop', async () => {
  await using home = await temporaryHome();
  const { record, stop } = await start(home.path, 'stubborn', 200);
  assert.is(await stop(), false);
  assert.is(processIdentity(record.pid), undefined);
});

test('does not confuse a server with a later process of the same id', async () => {
  await using home = await temporaryHome();
  prepareFolder(home.path);
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(other, 'spawn');
  const rest = { bind: 'b', endpoint: 'http://127.0.0.1:1', startedAt: 'x', identity: 'another' };
  await writeFile(serveFiles(home.path).pid, `${other.pid}\n${JSON.stringify(rest)}\n`);
  const { code, stdout } = await runTrove(['serve', 'stop'], { home: home.path });
  assert.is(code, 0);
  assert.is(stdout, 'Not running\n');
  assert.is(other.exitCode, null);
  assert.ok(processIdentity(other.pid ?? 0) !== undefined);
  other.kill('SIGKILL');
  await once(other, 'exit');
});

test('treats a zombie process as ended', async () => {
  const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 60']);
  const [text] = await once(parent.stdout.setEncoding('utf8'), 'data');
  await waitUntil(() => processIdentity(Number(text)) === undefined, 'it does not live');
  parent.kill('SIGKILL');
  await once(parent, 'exit');
});

test('ignores an invalid record', async () => {
  await using home = await temporaryHome();
  prepareFolder(home.path);
  for (const text of ['', '12', '12\n{}', 'x\n{"bind":', '0\n{"identity":"1"}']) {
    await writeFile(serveFiles(home.path).pid, text);
    assert.is(readRecord(home.path), undefined, text);
  }
});

test('allows one command at a time and takes over an abandoned lock', async () => {
  await using home = await temporaryHome();
  prepareFolder(home.path);
  await writeFile(serveFiles(home.path).lock, '999999999 then');
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside--;
  };
  await Promise.all([withLock(home.path, work), withLock(home.path, work)]);
  assert.is(most, 1);
});

test('shows the end of the log and follows it across rotations', async () => {
  await using home = await temporaryHome();
  prepareFolder(home.path);
  const { log } = serveFiles(home.path);
  assert.is(tailLog(home.path, 3), '');
  await writeFile(log, 'one\ntwo\nthree\n');
  assert.is(tailLog(home.path, 2), 'two\nthree\n');
  assert.is(tailLog(home.path, 9), 'one\ntwo\nthree\n');
  assert.is(tailLog(home.path, 0), '');
  const shown = await runTrove(['serve', 'logs', '-n', '1'], { home: home.path });
  assert.is(shown.stdout, 'three\n');
  const following = followLog(home.path);
  const next = following.next();
  await writeFile(log, 'four\n', { flag: 'a' });
  assert.is((await next).value, 'four\n');
  const afterRotation = following.next();
  await writeFile(log, 'five\n');
  assert.is((await afterRotation).value, 'five\n');
  await following.return(undefined);
});

test('finds the server on the PATH, or explains how to install it', async () => {
  await using home = await temporaryHome();
  const bin = join(home.path, 'bin');
  await mkdir(bin);
  const program = join(bin, 'trove-server');
  await writeFile(program, '#!/bin/sh\n');
  const far = 'file:///nowhere/cli.js';
  const find = () => locateServer({ PATH: `/nowhere:${bin}` }, far);
  assert.throws(find, /@trove\/server is not installed/);
  await chmod(program, 0o755);
  assert.equal(find(), { program, args: [] });
  const installed = join(home.path, 'node_modules', '@trove', 'server');
  await mkdir(installed, { recursive: true });
  const manifest = { name: '@trove/server', bin: { 'trove-server': './bin/s.js' } };
  await writeFile(join(installed, 'package.json'), JSON.stringify(manifest));
  const beside = locateServer({}, join(home.path, 'node_modules', '@trove', 'cli', 'x.js'));
  assert.equal(beside, { program: process.execPath, args: [join(installed, 'bin/s.js')] });
});

test('reports a home that is not writable', async () => {
  await using home = await temporaryHome();
  const file = join(home.path, 'file');
  await writeFile(file, '');
  const { code, stderr } = await runTrove(['serve', 'start'], {
    home: home.path,
    env: { TROVE_HOME: join(file, 'x') },
  });
  assert.is(code, 1);
  assert.match(stderr, /cannot create .*file\/x\/serve/);
  assert.match(stderr, 'TROVE_HOME');
});

test('parses addresses to listen on', () => {
  assert.is(parseBind('0.0.0.0:80').endpoint, 'http://127.0.0.1:80');
  assert.is(parseBind('[::]:80').endpoint, 'http://[::1]:80');
  assert.is(parseBind('host.example:13619').endpoint, 'http://host.example:13619');
  for (const bad of ['', '80', 'a:b', 'a:70000', ':80', 'a:0', '::1:80']) {
    assert.throws(() => parseBind(bad), /is not an address/, bad);
  }
});

test("uses the address of the server's settings unless another is given", async () => {
  await using home = await temporaryHome();
  const file = join(home.path, 'server.toml');
  assert.is(readBind(file), undefined);
  for (const [text, bind] of [
    ['[server]\nbind = "127.0.0.1:9"\n', '127.0.0.1:9'],
    ['[server]\nbind = 7\n', undefined],
    ['server = 1\n', undefined],
    ['[[[', undefined],
  ] as const) {
    await writeFile(file, text);
    assert.is(readBind(file), bind, text);
  }
  const [ofFile, ofEnvironment] = [await freePort(), await freePort()];
  await writeFile(file, `[server]\nbind = "127.0.0.1:${ofFile}"\n`);
  for (const [env, port] of [
    [{}, ofFile],
    [{ TROVE_SERVER_BIND: `127.0.0.1:${ofEnvironment}` }, ofEnvironment],
  ] as const) {
    const trove = (...args: string[]) => runTrove(args, { home: home.path, env });
    const { stdout } = await trove('serve', 'start', '--json');
    assert.match(stdout, `http://127.0.0.1:${port}`);
    await trove('serve', 'stop');
  }
});

test.run();
