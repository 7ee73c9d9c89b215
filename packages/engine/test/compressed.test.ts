import { gzipSync } from 'node:zlib';
import { isTroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { found, root, sync, World } from './support/engine.js';

const test = suite('compressed texts');

const text = 'first line\nsome tapirs: 5 €\nlast line\n';
/** The same text, compressed with the usual programs. */
const packed: Readonly<Record<string, Uint8Array>> = {
  'a.log.gz': gzipSync(text),
  'two.log.gz': Buffer.concat([gzipSync(text.slice(0, 15)), gzipSync(text.slice(15))]),
  'b.log.zst': fromBase64(
    'KLUv/QRoQQEAZmlyc3QgbGluZQpzb21lIHRhcGlyczogNSDigqwKbGFzdCBsaW5lCi9EBmc=',
  ),
  'c.log.bz2': fromBase64(
    'QlpoOTFBWSZTWY9TEPsAAAfZ0QAQQAACECMn3AAQAAAEEAAgADFMmJkGRg1GRoaNMml/VvAJEi22DKYdjyHcK5CEMrBJkvi7kinChIR6mIfY',
  ),
  'd.log.xz': fromBase64(
    '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AAnACZdADMaSqwMcr+NWPlNb76ikb6KY0RaBFWfRVSp2useKioYVyvf/QAAAAAAdDiHEbsqYHMAAUIoVjB81x+2830BAAAAAARZWg==',
  ),
};
/** 100 MB of zeros. */
const bomb = fromBase64(
  'QlpoOTFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1nEYApVAD7RQALAAABAAAggADDMCapppUiDaipEHi7kinChIcCoiS4=',
);

function fromBase64(base64: string): Uint8Array {
  return Buffer.from(base64, 'base64');
}

const codeOf = async (result: Promise<unknown>): Promise<string> => {
  const error: unknown = await result.catch((thrown: unknown) => thrown);
  return isTroveError(error) ? error.code : String(error);
};

test('gz, zst, bz2 and xz files are searched and read as their text', async () => {
  const world = new World();
  for (const [path, bytes] of Object.entries(packed)) world.source.set(path, bytes);
  const engine = await world.open();
  try {
    await sync(engine);
    const uris = Object.keys(packed).map((path) => `${root}/${path}`);
    const { results } = await engine.grep({ pattern: 'tapirs: 5 €', path: root });
    assert.equal(results.map(({ source }) => String(source)).toSorted(), uris.toSorted());
    assert.equal(new Set(results.map(({ locator }) => JSON.stringify(locator))).size, 1);
    const [hit] = await found(engine, 'tapirs');
    assert.ok(hit !== undefined && uris.includes(hit));
    for (const path of uris) {
      assert.is((await engine.cat({ path })).content, text);
      assert.is((await engine.cat({ path, range: '2:2' })).content, 'some tapirs: 5 €\n');
      assert.is((await engine.tail({ path, n: 1 })).content, 'last line\n');
    }
  } finally {
    await engine.close();
  }
});

test('only damaged, expanding and archive files fail', async () => {
  const world = new World();
  const zeros = Buffer.alloc(300_000);
  world.source.set('cut.log.gz', gzipSync(text).subarray(0, 20));
  world.source.set('cut.log.xz', (packed['d.log.xz'] ?? zeros).subarray(0, 90));
  world.source.set('cut.log.bz2', (packed['c.log.bz2'] ?? zeros).subarray(0, 60));
  world.source.set('large.log.gz', gzipSync('many words\n'.repeat(30_000)));
  world.source.set('bomb.log.bz2', bomb);
  world.source.set('many.tar.gz', gzipSync(zeros));
  world.source.set('named.gz', 'plain tapirs');
  world.source.set('fine.log.gz', gzipSync('fine tapirs'));
  const engine = await world.open({ ingest: { maxFileBytes: 100_000 } });
  try {
    const job = await sync(engine);
    assert.equal(job.failures.map(({ path, code }) => `${path} ${code}`).toSorted(), [
      'bomb.log.bz2 payload_too_large',
      'cut.log.bz2 not_supported',
      'cut.log.gz not_supported',
      'cut.log.xz not_supported',
      'large.log.gz payload_too_large',
    ]);
    assert.equal((await found(engine, 'tapirs')).toSorted(), [
      `${root}/fine.log.gz`,
      `${root}/named.gz`,
    ]);
    for (const path of ['cut.log.gz', 'many.tar.gz'])
      assert.is(await codeOf(engine.cat({ path: `${root}/${path}` })), 'not_supported');
    assert.is(await codeOf(engine.cat({ path: `${root}/bomb.log.bz2` })), 'payload_too_large');
    assert.is((await engine.head({ path: `${root}/large.log.gz`, n: 1 })).content, 'many words\n');
  } finally {
    await engine.close();
  }
});

test.run();
