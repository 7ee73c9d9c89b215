import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { runServer } from './postgres.js';

/** Whether a MariaDB can be started here. Where it is required, its absence is an error. */
export const hasMariadb = spawnSync('mariadbd', ['--version']).status === 0;
if (!hasMariadb && process.env['TROVE_REQUIRE_MARIADB'] === '1') {
  throw new Error('MariaDB is required (TROVE_REQUIRE_MARIADB=1), but it is not installed');
}
if (!hasMariadb) console.log('SKIPPED: MariaDB is not installed (mariadb-server)');

/** Starts a MariaDB for tests. Its URL names the user root and the password. */
export function startMariadb(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  return runServer(fileURLToPath(new URL('mariadb-server.mjs', import.meta.url)));
}
