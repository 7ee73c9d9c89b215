// Runs MariaDB in a temporary folder until standard input ends, even if the parent process dies. Prints the server's
// URL when it accepts connections.
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { createConnection } from 'mysql2/promise';

import { freePort } from '@trove/test-support/free-port.js';

const portAttempts = 3;
const testPassword = 'trove-test';
const startTimeoutMs = 60_000;
/** Skips syncing to disk, because the databases are temporary. */
const fastSettings = [
  '--innodb-flush-log-at-trx-commit=0',
  '--skip-log-bin',
  '--innodb-buffer-pool-size=32M',
];
const run = promisify(execFile);

const ended = new Promise((resolve) => process.stdin.resume().once('close', resolve));
const folder = await mkdtemp(join(tmpdir(), 'trove-mariadb-'));
const user = process.getuid?.() === 0 ? ['--user=root'] : [];
// A starting server deletes temporary tables in its temporary folder, so each server needs its own.
const env = { ...process.env, TMPDIR: join(folder, 'tmp') };
let server;
try {
  const data = join(folder, 'data');
  await mkdir(env.TMPDIR);
  const methods = ['--auth-root-authentication-method=normal', '--skip-test-db'];
  const args = ['--no-defaults', `--datadir=${data}`, ...user, ...methods];
  await run('mariadb-install-db', args, { env });
  const url = await start(data);
  console.log(url);
  await ended;
} finally {
  await stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit();

async function start(data) {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const place = [`--datadir=${data}`, `--port=${port}`, `--socket=${join(folder, 'socket')}`];
    const log = [];
    server = spawn(
      'mariadbd',
      ['--no-defaults', ...place, '--bind-address=127.0.0.1', ...user, ...fastSettings],
      { env, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    server.stderr.on('data', (part) => log.push(part));
    if (await isReady(port)) return `mysql://root:${testPassword}@127.0.0.1:${port}`;
    await stop();
    if (attempt === portAttempts) throw new Error(`MariaDB did not start:\n${log.join('')}`);
  }
}

/** Sets the password when the server answers. Returns false if the server ends instead. */
async function isReady(port) {
  const deadline = Date.now() + startTimeoutMs;
  while (server.exitCode === null && Date.now() < deadline) {
    try {
      const client = await createConnection({ host: '127.0.0.1', port, user: 'root' });
      await client.query(`alter user root@localhost identified by '${testPassword}'`);
      await client.end().catch(() => undefined);
      return true;
    } catch {
      await delay(50);
    }
  }
  return false;
}

async function stop() {
  if (server === undefined || server.exitCode !== null) return;
  const exited = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGKILL');
  await exited;
}
