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
    assert.equal(markDifferences(await crawled.content(), present), [], `a crawl, ${step}`);
    assert.equal(markDifferences(await index.content(), present), [], `a sync, ${step}`);
    const state = differences(await index.state(), await crawled.state());
    assert.equal(state, [], `a sync beside a crawl, ${step}`);
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

/** Describes the marks in which two contents differ, because whole contents are long. */
function markDifferences(actual: MarkedContent, expected: MarkedContent): string[] {
  return Object.keys({ ...actual, ...expected }).flatMap((path) => {
    const [one, two] = [actual[path], expected[path]];
    if (one === undefined || two === undefined)
      return [`${path}: ${one === undefined ? 'missing' : 'not expected'}`];
    const missing = two.filter((mark) => !one.includes(mark));
    const added = one.filter((mark) => !two.includes(mark));
    const isSame = JSON.stringify(one) === JSON.stringify(two);
    return isSame ? [] : [`${path}: missing ${missing.join(' ')}, not expected ${added.join(' ')}`];
  });
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
