import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { root } from './workspaces.mjs';

/** Where the tests' own helper looks for a server that runs already. */
const GIVEN = 'TROVE_TEST_PG_URL';
const SERVER = join(root, 'scripts/test-support/postgres-server.mjs');

/** Runs `work` beside one PostgreSQL for all the test files that need one: each would take seconds to start its own. */
export async function withPostgres(files, work) {
  const isShared = files.filter(({ needsPostgres }) => needsPostgres).length > 1;
  if (!isShared || process.env[GIVEN] !== undefined) return work();
  const server = spawn(process.execPath, [SERVER], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  try {
    const url = await firstLine(server.stdout);
    // Without one, each file starts its own, and says why it cannot.
    if (url !== undefined) process.env[GIVEN] = url;
    return await work();
  } finally {
    delete process.env[GIVEN];
    server.stdin.end();
    await exited;
  }
}

async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line;
  return undefined;
}
