import { mkdir, mkdtemp, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { waitUntil } from '@trove/test-support/waiting.js';
import { createTrove, type Trove } from '../src/index.js';

const test = suite<{ root: string }>('a damaged index');

test.before.each(async (context) => {
  context.root = await mkdtemp(join(tmpdir(), 'trove-index-'));
  await mkdir(join(context.root, 'docs'));
  for (const animal of ['fox', 'owl', 'elk'])
    await writeFile(join(context.root, 'docs', `${animal}.md`), `A brown ${animal}.`);
});
test.after.each(({ root }) => rm(root, { recursive: true, force: true }));

const homeIn = (root: string) => join(root, 'home');
const tableIn = (root: string) => join(homeIn(root), 'index.lance', 'default_chunks.lance');

async function damageData(root: string): Promise<void> {
  const data = join(tableIn(root), 'data');
  for (const name of await readdir(data)) await truncate(join(data, name), 10);
}

async function filled(root: string): Promise<Trove> {
  const trove = await createTrove({ home: homeIn(root) });
  await trove.add({ target: join(root, 'docs'), process: true });
  assert.is((await trove.search({ q: 'brown' })).results.length, 3);
  return trove;
}

/** Waits until everything is found again, by a job that no caller requested. */
async function assertRepaired(trove: Trove): Promise<void> {
  await waitUntil(async () => {
    const { results } = await trove.search({ q: 'brown' }).catch(() => ({ results: [] }));
    const { connectors } = await trove.status();
    return results.length === 3 && connectors.every(({ status }) => status === 'active');
  }, 'the index is repaired');
  const [last] = await trove.jobs();
  assert.is(last?.trigger, 'index');
  assert.is(last?.status, 'succeeded');
}

const losses: readonly [string, (root: string) => Promise<void>][] = [
  ['its table is gone', (root) => rm(tableIn(root), { recursive: true })],
  ['its folder is gone', (root) => rm(join(homeIn(root), 'index.lance'), { recursive: true })],
  ['its data is cut short', damageData],
  ['its versions are gone', (root) => rm(join(tableIn(root), '_versions'), { recursive: true })],
];

for (const [what, lose] of losses) {
  test(`is repaired after a start when ${what}`, async ({ root }) => {
    await (await filled(root)).close();
    await lose(root);
    const trove = await createTrove({ home: homeIn(root) });
    try {
      trove.startWorker();
      await assertRepaired(trove);
    } finally {
      await trove.close();
    }
  });
}

test('is repaired while the engine runs', async ({ root }) => {
  const trove = await filled(root);
  try {
    trove.startWorker();
    // In one operation, because the engine may be writing into the index.
    await rename(tableIn(root), join(root, 'lost'));
    await assertRepaired(trove);
  } finally {
    await trove.close();
  }
});

test.run();
