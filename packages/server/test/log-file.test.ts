import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { resolveSettings } from 'trove';
import { rejection } from '@trove/test-support/rejection.js';
import { createLogger } from '../src/log/logger.js';
import { Command } from './support/command.js';

const test = suite('the log file');
const line = 'x'.repeat(10_000);
let home: string;
test.before.each(async () => {
  home = await mkdtemp(join(tmpdir(), 'trove-log-'));
});
test.after.each(() => rm(home, { recursive: true, force: true }));

function loggerFor(log: object) {
  return createLogger(resolveSettings({ log }, { home }).log);
}

async function linesOf(name: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(home, 'logs', name), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .filter((each) => each !== '')
    .map((each) => JSON.parse(each) as Record<string, unknown>);
}

test('is rotated by size without losing or splitting a line', async () => {
  const logger = await loggerFor({ file: 'logs/trove.log', max_size_mb: 1, max_rotated_files: 2 });
  for (let n = 0; n < 420; n++) logger.info('a line', { n, line });
  assert.equal((await readdir(join(home, 'logs'))).sort(), [
    'trove.log',
    'trove.log.1',
    'trove.log.2',
  ]);
  const names = ['trove.log.2', 'trove.log.1', 'trove.log'];
  const numbers = (await Promise.all(names.map(linesOf))).flat().map(({ n }) => Number(n));
  const [first = 0] = numbers;
  assert.equal(
    numbers,
    Array.from({ length: 420 - first }, (_, at) => first + at),
  );
  assert.ok(first > 100 && first < 320, String(first));
  for (const name of names) {
    const { size, mode } = await stat(join(home, 'logs', name));
    assert.ok(size < 1_100_000, String(size));
    assert.is(mode & 0o777, 0o600);
  }
});

test('is rotated if it was already large, and accepts output of others', async () => {
  const file = join(home, 'logs', 'trove.log');
  (await loggerFor({ file: 'logs/trove.log', max_rotated_files: 0, max_size_mb: 1 })).info(
    'first',
    {},
  );
  // Like the standard error of a server.
  const child = spawn(
    process.execPath,
    ['-e', "process.stdin.on('data', () => process.stderr.write('native\\n'))"],
    {
      stdio: ['pipe', 'ignore', openSync(file, 'a')],
    },
  );
  const logger = await loggerFor({ file: 'logs/trove.log', max_size_mb: 1, max_rotated_files: 0 });
  for (let n = 0; n < 120; n++) logger.info('a line', { line });
  assert.ok((await stat(file)).size < 1_000_000);
  assert.equal(await readdir(join(home, 'logs')), ['trove.log']);
  child.stdin?.end('now');
  await once(child, 'close');
  assert.match(await readFile(file, 'utf8'), /native\n$/);
});

test('hides fields that are named like secrets', async () => {
  const logger = await loggerFor({ file: 'logs/trove.log' });
  const token = 's3cret';
  logger.info('plain', { path: '/v1/ls', status: 200 });
  logger.info('flat', { path: '/v1/ls', token });
  logger.info('deep', { options: { token, inner: { token, left: 1 } } });
  logger.error('failed', { error: Object.assign(new Error('refused'), { token }) });
  const [plain, flat, deep, failed] = await linesOf('trove.log');
  assert.is(plain?.['path'], '/v1/ls');
  assert.is(plain?.['status'], 200);
  assert.is(plain?.['level'], 'info');
  assert.is(flat?.['token'], '***');
  assert.is(flat?.['path'], '/v1/ls');
  assert.equal(deep?.['options'], { token: '***', inner: { token: '***', left: 1 } });
  assert.match(JSON.stringify(failed?.['error']), /refused.*\*\*\*/s);
  assert.not.match(await readFile(join(home, 'logs', 'trove.log'), 'utf8'), token);
});

test('contains request ids but no secrets and no queries', async () => {
  const env = {
    TROVE_HOME: home,
    TROVE_API_TOKEN: 'very-secret-token',
    TROVE_LOG_FILE: 'logs/a.log',
  };
  const server = new Command(['run', '--bind', '127.0.0.1:0'], { cwd: home, env });
  try {
    const url = await server.url();
    const headers = { authorization: 'Bearer very-secret-token', 'x-request-id': 'mine-7' };
    await fetch(`${url}/v1/search?q=private+words`, { headers });
    while (!(await linesOf('a.log')).some((each) => each['request_id'] === 'mine-7'));
    const { stderr } = await server.stop();
    const text = await readFile(join(home, 'logs', 'a.log'), 'utf8');
    assert.is(stderr, '');
    assert.not.match(text, 'very-secret-token');
    assert.not.match(text, 'private');
    const stopped = (await linesOf('a.log')).at(-1);
    assert.is(stopped?.['msg'], 'stopped');
  } finally {
    await server.stop('SIGKILL');
  }
});

test('reports that it cannot be opened', async () => {
  await writeFile(join(home, 'taken'), '');
  const failure = await rejection(() => loggerFor({ file: 'taken/trove.log' }));
  assert.is(failure.code, 'storage_unavailable');
  assert.match(failure.message, 'log.file');
});

test.run();
