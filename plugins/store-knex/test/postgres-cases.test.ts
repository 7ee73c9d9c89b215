// test-timeout: 600
import { suite } from 'uvu';

import { startPostgres, type TestPostgres } from '@trove/test-support/postgres.js';
import { addCases } from './cases.js';
import { prepare } from './support.js';

const test = suite('suites on PostgreSQL');
let postgres: TestPostgres;
let prepared: string;

test.before(async () => {
  postgres = await startPostgres();
  prepared = await postgres.createDatabase();
  await prepare({ backend: 'postgres', config: { dsn: prepared } });
});

test.after(() => postgres.stop());

addCases(test, async (work) =>
  work({ backend: 'postgres', config: { dsn: await postgres.copyDatabase(prepared) } }),
);

test.run();
