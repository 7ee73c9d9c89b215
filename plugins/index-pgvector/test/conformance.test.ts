// test-timeout: 600
// test-waits
import { vectorIndexCases } from '@trove/testkit';
import { suite } from 'uvu';
import { startPgvector, type TestPgvector } from '@trove/test-support/pgvector.js';
import { open } from './world.js';

const test = suite('conformance');
let server: TestPgvector;

test.before(async () => {
  server = await startPgvector();
});

test.after(() => server.stop());

for (const { id, title, run } of vectorIndexCases) {
  test(`${id}: ${title}`, async () => {
    await server.empty();
    await run({ open: () => open(server) });
  });
}

test.run();
