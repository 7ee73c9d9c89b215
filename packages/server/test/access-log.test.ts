import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { apiRoutes } from '../src/routes/table.js';
import { call, memoryLog, withHost } from './support/server.js';
import { emptyStatus } from './support/stub-engine.js';

const test = suite('the access log');

test('polled routes are only logged at the level debug', async () => {
  const { lines, logger } = memoryLog();
  await withHost(
    { status: () => Promise.resolve(emptyStatus) },
    async (host) => {
      for (const path of ['/healthz', '/graph/health', '/v1/status', '/nowhere'])
        await call(host, path, { headers: { connection: 'close' } });
    },
    { logger, routes: apiRoutes({ base: '/graph' }) },
  );
  const levels = lines
    .filter(({ message }) => message === 'request')
    .map(({ level, fields }) => `${String(fields['path'])} ${level}`);
  assert.equal(levels.sort(), [
    '/graph/health debug',
    '/healthz debug',
    '/nowhere info',
    '/v1/status info',
  ]);
});

test.run();
