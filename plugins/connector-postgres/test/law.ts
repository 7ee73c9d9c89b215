import { startPostgres } from '@trove/test-support/postgres.js';
import { markedTables } from '@trove/test-support/sql/law.js';
import type { SyncLaw } from '@trove/test-support/sync-law.js';
import { World } from './support.js';

export const law: SyncLaw = {
  schemes: ['postgres', 'postgresql'],
  async start() {
    const server = await startPostgres();
    const world = await World.make(server);
    const tables = await markedTables((sql) => world.write(sql), world.folder);
    return {
      target: world.target(),
      config: world.config,
      ...tables,
      async [Symbol.asyncDispose]() {
        await world.remove();
        await server.stop();
      },
    };
  },
};
