import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { startServer } from '../../lib/server.mjs';
import { connect } from '../client.mjs';

/** Starts a server on a home. Returns `{ client, pid, database, readyMs, stop() }`. */
export async function serverOf(home) {
  const started = performance.now();
  const server = await startServer(home);
  const readyMs = performance.now() - started;
  const client = connect(server.endpoint, readFileSync(join(home, 'server.token'), 'utf8').trim());
  const stop = async () => {
    client.close();
    await server.stop();
  };
  return { client, pid: server.pid, database: join(home, 'index.lance'), readyMs, stop };
}
