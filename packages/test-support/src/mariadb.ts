import { fileURLToPath } from 'node:url';

import { missingProgram } from './skips.js';
import { runServer } from './postgres.js';

/** The reason why `startMariadb` cannot run, or null. */
export const noMariadb = missingProgram('mariadbd', 'MariaDB');

/** Starts MariaDB for tests. Its URL contains the user root and the password. */
export function startMariadb(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  return runServer(fileURLToPath(new URL('../programs/mariadb-server.mjs', import.meta.url)));
}
