import type { serverOperations } from '@trove/operations';
import type { HandlersOf } from '../routes/route.js';

export const serverHandlers: HandlersOf<typeof serverOperations> = {
  healthz: () => ({ status: 'ok' }),
  readyz: (engine, _input, options) => engine.ready(options),
  metrics: (_engine, _input, { metrics }) => metrics.text(),
  getServerInfo: (engine) => engine.serverInfo(),
  status: (engine) => engine.status(),
  startBackup: ({ backups }, { body }) => backups.start(body),
  getBackup: ({ backups }) => backups.state(),
};
