import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { attempt } from './processes.js';
import { withFolder } from '@trove/test-support/with-folder.js';

const test = suite('drivers');
const hide = new URL('hide-driver.mjs', import.meta.url).href;

function without(driver: string): { env: NodeJS.ProcessEnv; imports: string[] } {
  return { env: { ...process.env, HIDDEN_DRIVERS: driver }, imports: [hide] };
}

test('names a missing driver and the command that installs it', async () => {
  await withFolder(async (folder) => {
    const sqlite = { backend: 'sqlite', config: { path: join(folder, 'data.db') } };
    assert.equal(JSON.parse(await attempt(sqlite, without('sqlite3'))), {
      code: 'not_available',
      detail: 'The database driver sqlite3 cannot be loaded.',
      suggestions: ['npm install sqlite3'],
    });
  });
  const postgres = { backend: 'postgres', config: { dsn: 'postgres://127.0.0.1:1/x' } };
  const answer: unknown = JSON.parse(await attempt(postgres, without('pg')));
  assert.equal(answer, {
    code: 'not_available',
    detail: 'The database driver pg cannot be loaded.',
    suggestions: ['npm install pg'],
  });
});

test('loads SQLite without the driver of PostgreSQL', () =>
  withFolder(async (folder) => {
    const sqlite = { backend: 'sqlite', config: { path: join(folder, 'data.db') } };
    assert.is(await attempt(sqlite, without('pg')), 'ok');
  }));

test.run();
