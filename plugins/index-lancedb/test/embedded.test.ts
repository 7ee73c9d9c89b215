import { rm } from 'node:fs/promises';
import { silentLogger } from '@trove/core';
import { testWorkers } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '@trove/test-support/manual-clock.js';
import { groupOf, neverAborted, spec } from '@trove/test-support/index-rows.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { LanceIndex } from '../src/database.js';
import { withFolder } from '@trove/test-support/with-folder.js';

const test = suite('an index in an application');

/** The process state that an application shares with its libraries. */
function hostState(): object {
  const { execArgv, env } = process;
  const signals = ['SIGINT', 'SIGTERM', 'unhandledRejection', 'uncaughtException', 'warning'];
  return {
    env: { ...env },
    execArgv,
    gc: typeof globalThis.gc,
    umask: process.umask(),
    cwd: process.cwd(),
    listeners: signals.map((name) => process.listenerCount(name)),
  };
}

test('leaves the host process unchanged and survives a vanished folder', () =>
  withFolder(async (folder) => {
    const before = hostState();
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (words: string) => void warnings.push(words) };
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    using clock = new ManualClock(10_000);
    const index = await LanceIndex.connect({ uri: folder, logger, workers: testWorkers });
    try {
      const collection = await index.collection(spec);
      await collection.replace([groupOf('a', 3), groupOf('b', 3)], neverAborted);
      await collection.replace([groupOf('a', 2, 'other')], neverAborted);
      await collection.optimize();
      assert.equal(hostState(), before);
      process.on('unhandledRejection', note);
      await rm(folder, { recursive: true });
      clock.advance(400_000);
      await waitUntil(() => warnings.length > 0, 'a warning');
      await collection
        .search({
          sparse: { terms: ['x'], pairs: [] },
          pairWeight: 0,
          candidates: 3,
          signal: AbortSignal.timeout(5000),
        })
        .catch(() => undefined);
    } finally {
      await index.close().catch(() => undefined);
    }
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    assert.equal(unhandled, []);
  }));

test.run();
