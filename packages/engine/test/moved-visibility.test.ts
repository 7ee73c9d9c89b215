import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { found, sync, World } from './support/engine.js';

/* A moved source has its former URIs in the index until a worker has moved its rows. */

const test = suite('what a caller with paths sees of moved sources');

const open = 'memory://local/open';
const hidden = 'memory://local/hidden';

/** Syncs the source at one place, moves it to another, and passes callers that see parts of both to `check`. */
async function whileMoving(
  [from, to]: readonly [from: string, to: string],
  check: (seeing: (...paths: string[]) => Promise<Seen>, engine: Engine) => Promise<void>,
): Promise<void> {
  const world = new World();
  world.source.set('a.txt', 'The lighthouse is tall.', { modifiedAt: 7 });
  world.source.set('sub/b.txt', 'A lighthouse is old.', { modifiedAt: 7 });
  const engine = await world.open();
  try {
    await sync(engine, { target: from });
    const { job_id: id } = await engine.move({ target: from, to });
    const seeing = async (...paths: string[]): Promise<Seen> =>
      seenBy(engine.restrictTo({ rights: 'read', paths }));
    await check(seeing, engine);
    engine.startWorker();
    assert.is((await engine.waitForJob(id)).status, 'succeeded');
  } finally {
    await engine.close();
  }
}

interface Seen {
  readonly hits: readonly string[];
  /** Whether a typing error is corrected, which takes words from the index. */
  readonly isCorrected: boolean;
}

async function seenBy(engine: Pick<Engine, 'search'>): Promise<Seen> {
  const [{ results }, { metadata }] = await Promise.all([
    engine.search({ q: 'lighthouse', mode: 'keyword' }),
    engine.search({ q: 'lighthuose', mode: 'keyword' }),
  ]);
  const hits = results.map(({ source }) => source).toSorted();
  return { hits, isCorrected: metadata !== undefined };
}

const none: Seen = { hits: [], isCorrected: false };

test('hides a source that leaves a visible folder, before its rows move', async () => {
  await whileMoving([`${open}/x`, `${hidden}/x`], async (seeing, engine) => {
    for (const path of [open, `${open}/x`, `${open}/x/sub`, `${open}/x/a.txt`])
      assert.equal(await seeing(path), none, path);
    assert.is((await found(engine, 'lighthouse')).length, 2);
  });
});

test('hides a source that only its former parts made visible', async () => {
  await whileMoving([`${open}/x`, `${hidden}/x`], async (seeing) => {
    assert.equal(await seeing(open, `${hidden}/x/sub`), none);
  });
});

test('keeps a source that moves within visible folders', async () => {
  await whileMoving([`${open}/x`, `${open}/y`], async (seeing) => {
    const { hits, isCorrected } = await seeing(open);
    assert.is(hits.length, 2);
    assert.ok(isCorrected);
  });
});

test('keeps other sources of a visible folder', async () => {
  await whileMoving([`${open}/x`, `${hidden}/x`], async (seeing, engine) => {
    await sync(engine, { target: `${open}/x2` });
    const { hits } = await seeing(open);
    assert.equal(hits, [`${open}/x2/a.txt`, `${open}/x2/sub/b.txt`]);
    const restricted = engine.restrictTo({ rights: 'read', paths: [open] });
    for (const path of [open, 'memory://local']) {
      const { results } = await restricted.search({ q: 'lighthouse', mode: 'keyword', path });
      assert.equal(results.map(({ source }) => source).toSorted(), hits, path);
    }
  });
});

test.run();
