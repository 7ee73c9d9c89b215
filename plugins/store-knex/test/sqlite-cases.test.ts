// test-timeout: 600
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { suite } from 'uvu';

import { addCases } from './cases.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { prepare } from './support.js';

const test = suite('suites on SQLite');
let prepared: string;

test.before(async () => {
  prepared = await mkdtemp(join(tmpdir(), 'trove-store-'));
  await prepare({ backend: 'sqlite', config: { path: join(prepared, 'data.db') } });
});

test.after(() => rm(prepared, { recursive: true, force: true }));

addCases(test, (work) =>
  withFolder(async (folder) => {
    const path = join(folder, 'data.db');
    await copyFile(join(prepared, 'data.db'), path);
    await work({ backend: 'sqlite', config: { path } });
  }),
);

test.run();
