// test-timeout: 600
// test-slow
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { runCampaign } from '../src/fuzz/campaign.mjs';
import { partNames } from '../src/fuzz/options.mjs';
import { pageOf } from '../src/fuzz/report/page.mjs';

/* A short run of `npm run fuzz` with the same seed and number of steps each time. */

const randomSeed = 1;
const test = suite('fuzz');

test('finds no fault in a short run', async () => {
  const work = mkdtempSync(join(tmpdir(), 'trove-fuzz-test-'));
  try {
    const figures = await runCampaign({
      seed: randomSeed,
      parts: partNames,
      short: true,
      more: (done) => done < partNames.length,
      folder: join(work, 'findings'),
    });
    assert.equal(figures.findings, []);
    assert.not(existsSync(join(work, 'findings')));
    assert.ok(figures.rows.length >= 15, 'nearly every operation was called');
    assert.ok(Object.values(figures.steps).every((count) => count === 1));
    assert.ok(figures.latencies.search.length > 0 && figures.peaks.rss > 0);
    assert.match(pageOf(figures), /no fault found/);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
});

test.run();
