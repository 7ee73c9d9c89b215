import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryConnector, MemorySource } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { waitUntil } from '@trove/test-support/waiting.js';
import { createTrove, type Trove } from '../src/index.js';

interface Context {
  root: string;
  trove: Trove;
  /** Lets the large job continue. */
  release: () => void;
  largeJob: string;
}

const test = suite<Context>('while a large job runs');

const large = 'memory://local';
/** Enough rows to be indexed, and more new rows than queries would scan. */
const oldRows = 1500;
const newRows = 1300;
/** The number of new rows written before the job pauses. */
const writtenRows = 1200;

test.before.each(async (context) => {
  context.root = await mkdtemp(join(tmpdir(), 'trove-large-'));
  const source = new MemorySource();
  const plugins = [memoryConnector(source)];
  context.trove = await createTrove({ home: join(context.root, 'home'), plugins });
  const { trove } = context;
  trove.startWorker();
  for (let at = 0; at < oldRows; at++) source.set(`old-${at}.md`, 'An old pear.');
  await trove.add({ target: large, process: true });

  let reads = 0;
  const released = new Promise<void>((resolve) => (context.release = resolve));
  for (let at = 0; at < newRows; at++) source.set(`new-${at}.md`, 'A new plum.');
  source.pause = async () => {
    // `pause` is also called for each listed entry.
    if (++reads > oldRows + newRows + writtenRows) await released;
  };
  context.largeJob = (await trove.add({ target: large })).job_id;
  await waitUntil(async () => {
    const { chunks } = await trove.job(context.largeJob);
    return (chunks ?? 0) >= writtenRows;
  }, 'most of the large job is written');
});
test.after.each(async ({ root, trove, release }) => {
  release();
  await trove.close();
  await rm(root, { recursive: true, force: true });
});

async function contents(trove: Trove, query: Parameters<Trove['search']>[0]): Promise<string[]> {
  return (await trove.search(query)).results.map(({ content }) => content.trim());
}

test('finds the objects of a small job at once', async ({ root, trove, release, largeJob }) => {
  const folder = join(root, 'notes');
  await mkdir(folder);
  for (const [fruit, change] of Object.entries({ quince: 'added', medlar: 'changed' })) {
    const text = `The ${fruit} was ${change}.`;
    await writeFile(join(folder, 'note.md'), text);
    await trove.add({ target: folder, process: true });
    for (const mode of ['keyword', 'hybrid', 'semantic'] as const)
      assert.equal(await contents(trove, { q: fruit, mode }), [text]);
    assert.equal(await contents(trove, { q: fruit, path: folder }), [text]);
    const { content } = await trove.cat({ path: join(folder, 'note.md'), density: 'deep' });
    assert.match(content, text);
    const { results } = await trove.grep({ pattern: `${fruit}\\b`, regex: true, path: folder });
    assert.equal(
      results.map((match) => match.content),
      [text],
    );
  }
  assert.equal(await contents(trove, { q: 'quince', path: folder }), []);
  assert.is((await trove.job(largeJob)).status, 'running');

  release();
  await waitUntil(async () => {
    const { status } = await trove.job(largeJob);
    return status === 'succeeded';
  }, 'the large job has ended');
  const [found] = await contents(trove, { q: 'plum' });
  assert.is(found, 'A new plum.');
});

test.run();
