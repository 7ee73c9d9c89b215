// test-timeout: 600
import { suite } from 'uvu';

import { startPostgres } from '../../../scripts/test-support/postgres.js';
import type { TestPostgres } from '../../../scripts/test-support/postgres.js';
import { addCases } from './cases.js';

const test = suite('suites on PostgreSQL');
let postgres: TestPostgres;

test.before(async () => {
  postgres = await startPostgres();
});

test.after(() => postgres.stop());

addCases(test, async (work) =>
  work({ backend: 'postgres', config: { dsn: await postgres.createDatabase() } }),
);

test.run();
