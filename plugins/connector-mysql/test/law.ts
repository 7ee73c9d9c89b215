import { noMariadb, startMariadb } from '@trove/test-support/mariadb.js';
import { markedTables } from '@trove/test-support/sql/law.js';
import type { SyncLaw } from '@trove/test-support/sync-law.js';
import { World } from './support.js';

export const law: SyncLaw = {
  schemes: ['mysql', 'mariadb'],
  unavailable: noMariadb,
  async start() {
    const server = await startMariadb();
    const world = new World(server);
    await world.clear();
    const tables = await markedTables((sql) => world.write(sql), world.folder);
    return {
      target: world.target(),
      config: world.config,
      ...tables,
      [Symbol.asyncDispose]: () => server.stop(),
    };
  },
};
