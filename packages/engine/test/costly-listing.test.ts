// test-waits
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { defineConnector, type Entry } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { sync, World } from './support/engine.js';

const test = suite('sources with a costly listing');
const target = 'slow://host';

interface Slow {
  readonly engine: Engine;
  /** The absolute path of the folders of sources. */
  readonly folder: string;
  readonly texts: Map<string, string>;
  listings: number;
  /** The delay before each entry. */
  pauseMs: number;
  /** The cache folders that connectors received. */
  readonly given: (string | undefined)[];
}

async function withSlow(
  use: (slow: Slow) => Promise<void>,
  warnings: readonly string[] = [],
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'trove-sources-'));
  const texts = new Map([
    ['guide/first.md', '# First\n\nHow the lighthouse is lit.\n'],
    ['guide/second.md', 'The second text.\n'],
    ['top.md', 'On top.\n'],
  ]);
  const slow = { folder, texts, listings: 0, pauseMs: 0, given: [] as (string | undefined)[] };
  const plugin = defineConnector({
    keys: ['slow'],
    capabilities: { costlyListing: true },
    configSchema: { type: 'object', properties: {}, additionalProperties: false },
    create: (context) => {
      slow.given.push(context.cacheFolder);
      return {
        check: async () => ({ ok: true, detail: 'there' }),
        async *list({ warn }): AsyncGenerator<Entry> {
          slow.listings++;
          if (context.cacheFolder !== undefined) {
            await mkdir(context.cacheFolder, { recursive: true });
            await writeFile(join(context.cacheFolder, 'copy'), 'kept');
          }
          for (const sentence of warnings) warn?.(sentence);
          for (const [path, text] of texts) {
            if (slow.pauseMs > 0) await delay(slow.pauseMs);
            const skip = path === 'top.md' ? { skip: 'it asks not to be' } : {};
            yield { path, size: text.length, modifiedAt: null, fingerprint: text, ...skip };
          }
        },
        read: async (path) => ({ bytes: Buffer.from(texts.get(path) ?? '') }),
      };
    },
  });
  const engine = await new World().open({ plugins: [plugin], sourceFolder: folder });
  try {
    await use(Object.assign(slow, { engine }));
  } finally {
    await engine.close();
    await rm(folder, { recursive: true });
  }
}

test('are shown as of the last sync', () =>
  withSlow(async (slow) => {
    const { engine, texts } = slow;
    await sync(engine, { target });
    texts.set('new.md', 'nobody has met it');
    const { entries } = await engine.ls({ path: target });
    assert.equal(
      entries.map(({ name, type, reason }) => [name, type, reason]),
      [
        ['guide', 'dir', null],
        ['top.md', 'file', 'it asks not to be'],
      ],
    );
    const below = await engine.ls({ path: `${target}/guide` });
    assert.equal(
      below.entries.map(({ name, search_status }) => [name, search_status]),
      [
        ['first.md', 'indexed'],
        ['second.md', 'indexed'],
      ],
    );
    const answer = await engine.cat({ path: `${target}/guide/second.md` });
    assert.is(answer.content, 'The second text.\n');
    const wrong = (path: string): Promise<unknown> =>
      engine.cat({ path: `${target}/${path}` }).catch((error: { code?: string }) => error.code);
    assert.equal([await wrong('new.md'), await wrong('guide')], ['not_found', 'is_directory']);
    const all: string[] = [];
    for await (const each of await engine.texts({ path: `${target}/guide` })) all.push(each.source);
    assert.equal(all, [`${target}/guide/first.md`, `${target}/guide/second.md`]);
    assert.is(slow.listings, 1);
  }));

test('get a cache folder that is removed with the source', () =>
  withSlow(async ({ engine, folder, given }) => {
    await engine.estimate({ target });
    assert.equal([given, await folders(folder)], [[undefined], []]);
    await sync(engine, { target });
    const own = given.at(-1) ?? '';
    assert.ok(own.startsWith(folder));
    assert.equal(await readdir(own), ['copy']);
    await engine.remove({ target });
    assert.equal(await folders(folder), []);
  }));

test('are listed for an estimate for a limited time', () =>
  withSlow(async (slow) => {
    const { engine, texts } = slow;
    assert.is((await engine.estimate({ target })).complete, true);
    for (let n = 0; n < 10_000; n++) texts.set(`more/${n}.md`, 'more');
    slow.pauseMs = 50;
    const { complete, objects } = await engine.estimate({ target });
    assert.is(complete, false);
    assert.ok(objects >= 2 && objects < 5000, `${objects} objects`);
  }));

test('add at most twenty warnings to the job', () =>
  withSlow(
    async ({ engine }) => {
      const job = await sync(engine, { target });
      assert.equal(job.warnings, [
        'Only 3 pages.',
        ...Array.from({ length: 18 }, (_, n) => `${n}`),
      ]);
    },
    ['Only 3 pages.', 'Only 3 pages.', ...Array.from({ length: 30 }, (_, n) => `${n}`)],
  ));

/** The source folders of all databases. */
async function folders(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((each) => each.isFile()).map(({ name }) => name);
}

test.run();
