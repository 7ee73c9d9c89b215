import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@trove/core';
import { vectorIndexCases, testWorkers } from '@trove/testkit';
import { suite } from 'uvu';
import { LanceIndex } from '../src/database.js';

const test = suite('conformance');

for (const { id, title, run } of vectorIndexCases) {
  test(`${id}: ${title}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trove-lance-'));
    try {
      await run({
        open: () => LanceIndex.connect({ uri: folder, logger: silentLogger, workers: testWorkers }),
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

test.run();
