import { markedTables } from '@trove/test-support/sql/law.js';
import type { SyncLaw } from '@trove/test-support/sync-law.js';
import { World } from './support.js';

export const law: SyncLaw = {
  schemes: ['sqlite'],
  async start() {
    const world = new World();
    const tables = await markedTables((sql) => world.write(sql), 'main/');
    return { target: world.target(), ...tables, [Symbol.asyncDispose]: () => world.remove() };
  },
};
