import { fileURLToPath } from 'node:url';

import { missingProgram } from './skips.js';
import { runServer } from './postgres.js';

/** Why `startMariadb` cannot start one, or null. */
export const noMariadb = missingProgram('mariadbd', 'MariaDB');

/** Starts a MariaDB for tests. Its URL names the user root and the password. */
export function startMariadb(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  return runServer(fileURLToPath(new URL('../programs/mariadb-server.mjs', import.meta.url)));
}
