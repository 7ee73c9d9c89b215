import { join } from 'node:path';
import type { MarkedContent, SyncLaw } from '@trove/test-support/sync-law.js';
import * as assert from 'uvu/assert';

import { differences, SyncedIndex } from './synced-index.js';

/** Asserts that a sync leaves what a first crawl finds, after every change of the source. `folder`: an empty folder. */
export async function followLaw(
  { start, missesDeletions }: SyncLaw,
  folder: string,
): Promise<void> {
  await using source = await start();
  await using index = await SyncedIndex.open(source, join(folder, 'synced'));
  await using crawled = await SyncedIndex.open(source, join(folder, 'crawled'));
  const expectCrawled = async (step: string): Promise<void> => {
    await crawled.crawl();
    const present = await source.content();
    assert.equal(await crawled.content(), present, `a crawl, ${step}`);
    assert.equal(await index.content(), present, `a sync, ${step}`);
    assert.equal(differences(await index.state(), await crawled.state()), [], `a sync, ${step}`);
  };
  await index.sync();
  await expectCrawled('at first');
  await source.changeAll();
  await index.sync();
  await expectCrawled('after all changes');
  const before = await index.content();
  await source.removeThird();
  await index.sync();
  if (missesDeletions === true) {
    expectBetween(await index.content(), await source.content(), before);
    await index.sync({ isFull: true });
  }
  await expectCrawled('after deletions');
  await source.expireCursors?.();
  await index.sync();
  await expectCrawled('after all cursors have expired');
  await source.changeAll();
  await index.sync();
  await expectCrawled('after further changes');
}

/** Asserts that nothing present is missing, and that everything else was present before. */
function expectBetween(actual: MarkedContent, present: MarkedContent, before: MarkedContent): void {
  for (const [path, marks] of Object.entries(present))
    assert.equal(
      marks.filter((mark) => actual[path]?.includes(mark) !== true),
      [],
      `marks that are missing in ${path}`,
    );
  for (const [path, marks] of Object.entries(actual))
    assert.equal(
      marks.filter((mark) => before[path]?.includes(mark) !== true),
      [],
      `new marks in ${path}`,
    );
}
