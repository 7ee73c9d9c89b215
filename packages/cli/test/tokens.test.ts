import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { createTrove, type Trove } from 'trove';
import { startHost, type Host } from '@trove/server';
import { temporaryHome } from './support/home.js';
import { collect, runTrove, type Result } from './support/trove.js';

/* `trove token`, `trove login` and `trove logout` on a real server. */

const test = suite('tokens and logins');
const bin = fileURLToPath(new URL('../bin/trove.js', import.meta.url));
const serverToken = 'the-token-of-the-server';

let home: Awaited<ReturnType<typeof temporaryHome>>;
let engine: Trove;
let host: Host;

test.before(async () => {
  home = await temporaryHome();
  for (const folder of ['notes', 'secret']) {
    await mkdir(join(home.path, 'files', folder), { recursive: true });
    await writeFile(join(home.path, 'files', folder, 'a.md'), `# The harbour of ${folder}\n`);
  }
  engine = await createTrove({ home: join(home.path, 'server') });
  host = await startHost({
    engine,
    bind: { host: '127.0.0.1', port: 0 },
    auth: { mode: 'known', token: serverToken },
  });
  for (const folder of ['notes', 'secret'])
    await engine.add({ target: join(home.path, 'files', folder), process: true });
});

test.after(async () => {
  await host.close(0);
  await engine.close();
  await home[Symbol.asyncDispose]();
});

function run(args: readonly string[], token = serverToken): Promise<Result> {
  const env = { TROVE_ENDPOINT: host.url, TROVE_API_TOKEN: token };
  return runTrove(args, { home: home.path, env });
}

/** Runs a command with a text on its standard input, and without tokens in its environment. */
async function runWithInput(args: readonly string[], input: string, path: string): Promise<Result> {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: path,
    env: { PATH, HOME: path, TROVE_HOME: path },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code: typeof code === 'number' ? code : null, stdout: stdout(), stderr: stderr() };
}

async function created(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(['token', 'create', ...args]);
  assert.is(code, 0, stderr);
  assert.not.match(stderr, stdout.trim());
  return stdout.trim();
}

test('creates a token that sees one folder', async () => {
  const notes = join(home.path, 'files', 'notes');
  const token = await created('--name', 'ada', '--path', notes, '--expires', '90d');
  assert.match(token, /^trove_/);
  const status = await run(['status', '--json'], token);
  const { connectors } = JSON.parse(status.stdout) as { connectors: { root_uri: string }[] };
  assert.equal(
    connectors.map(({ root_uri: uri }) => uri),
    [`file://local${notes}`],
  );
  const search = await run(['search', 'harbour'], token);
  assert.match(search.stdout, 'notes');
  assert.not.match(search.stdout, 'secret');
  const refused = await run(['remove', notes], token);
  assert.is(refused.code, 1);
  assert.match(refused.stderr, 'needs the right `admin`');
});

test('lists tokens without their secrets', async () => {
  const token = await created('--name', 'listed', '--rights', 'sync');
  const { stdout } = await run(['token', 'list']);
  assert.match(stdout, /listed\s+sync/);
  assert.not.match(stdout, token);
});

test('rotates and revokes a token', async () => {
  const token = await created('--name', 'turned');
  const rotated = await run(['token', 'rotate', 'turned', '--overlap', '1h']);
  const next = rotated.stdout.trim();
  for (const valid of [token, next]) assert.is((await run(['status'], valid)).code, 0);
  assert.is((await run(['token', 'revoke', 'turned'])).code, 0);
  for (const ended of [token, next]) assert.is((await run(['status'], ended)).code, 1);
  assert.is((await run(['token', 'revoke', 'turned'])).code, 1);
});

test('rejects wrong options', async () => {
  for (const args of [
    ['create'],
    ['create', '--name', 'x', '--expires', 'soon'],
    ['create', '--name', 'x', '--rights', 'root'],
    ['rotate', 'x', '--overlap', '-1h'],
  ])
    assert.is((await run(['token', ...args])).code, 2, args.join(' '));
});

test('logs in with a token from standard input, and out', async () => {
  await using own = await temporaryHome();
  const token = await created('--name', 'person');
  const login = await runWithInput(['login', host.url, '--name', 'work'], `${token}\n`, own.path);
  assert.is(login.code, 0, login.stderr);
  const file = join(own.path, 'client.toml');
  assert.is((await stat(file)).mode & 0o777, 0o600);
  assert.match(await readFile(file, 'utf8'), token);
  assert.is((await runWithInput(['status'], '', own.path)).code, 0);
  const again = await runWithInput(['login', host.url, '--name', 'work'], token, own.path);
  assert.is(again.code, 0, again.stderr);
  const logout = await runWithInput(['logout'], '', own.path);
  assert.is(logout.code, 0, logout.stderr);
  assert.not.match(await readFile(file, 'utf8'), token);
  assert.is((await runWithInput(['logout'], '', own.path)).code, 2);
});

test('stores no token that the server rejects', async () => {
  await using own = await temporaryHome();
  const login = await runWithInput(['login', host.url], 'trove_wrong', own.path);
  assert.is(login.code, 1);
  assert.match(login.stderr, 'rejected the token');
  assert.is(await readFile(join(own.path, 'client.toml'), 'utf8').catch(() => 'none'), 'none');
});

test('keeps other profiles when it logs out', async () => {
  await using own = await temporaryHome();
  const others = `# mine\nactive = "a"\n\n[profiles.a]\nendpoint = "${host.url}"\n\n# kept\n[profiles.b]\ntoken = "env:B"\n`;
  await writeFile(join(own.path, 'client.toml'), others);
  assert.is((await runWithInput(['logout', 'a'], '', own.path)).code, 0);
  const left = await readFile(join(own.path, 'client.toml'), 'utf8');
  assert.match(left, '[profiles.b]');
  assert.not.match(left, '[profiles.a]');
  assert.not.match(left, 'active');
});

test.run();
