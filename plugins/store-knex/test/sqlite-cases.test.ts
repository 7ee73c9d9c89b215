// test-timeout: 600
import { join } from 'node:path';

import { suite } from 'uvu';

import { addCases } from './cases.js';
import { inFolder } from './support.js';

const test = suite('suites on SQLite');

addCases(test, (work) =>
  inFolder((folder) => work({ backend: 'sqlite', config: { path: join(folder, 'data.db') } })),
);

test.run();
