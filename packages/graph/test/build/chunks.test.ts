import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chunksOf } from '../../src/build/chunks.js';
import { createImportDrafts } from '../../src/build/import-drafts.js';
import { turnsDuring } from '../support/turns.js';

const test = suite('chunks');

const words = Array.from({ length: 2000 }, (_, n) => `word${n}`).join(' ');

test('splits a short text into one chunk and a blank text into none', () => {
  assert.equal([...chunksOf('short', { size: 100, overlap: 20 })], ['short']);
  assert.equal([...chunksOf(' \n ', { size: 100, overlap: 20 })], []);
});

test('limits chunks, lets them overlap and omits nothing', () => {
  for (const [size, overlap] of [
    [100, 0],
    [100, 50],
    [1000, 200],
    [333, 7],
  ] as const) {
    const chunks = [...chunksOf(words, { size, overlap })];
    let end = 0;
    for (const [at, chunk] of chunks.entries()) {
      assert.ok(chunk.length <= size, `${chunk.length} > ${size}`);
      const start = words.indexOf(chunk, Math.max(0, end - overlap - 1));
      assert.ok(start >= 0 && start <= end, `chunk ${at} leaves out what is before it`);
      if (at > 0) assert.ok(end - start <= overlap, `chunk ${at} shares ${end - start}`);
      if (at > 0 && overlap >= 50) assert.ok(end > start, `chunk ${at} shares nothing`);
      end = start + chunk.length;
    }
    assert.is(end, words.length);
  }
});

test('ends chunks after paragraphs and sentences if possible', () => {
  const text = `${'One sentence. '.repeat(5)}\n\n${'Another sentence. '.repeat(5)}`;
  const [first = ''] = chunksOf(text, { size: 100, overlap: 0 });
  assert.ok(first.endsWith('\n\n'), JSON.stringify(first));
  const [next = ''] = chunksOf('A sentence here. '.repeat(20), { size: 100, overlap: 0 });
  assert.ok(next.endsWith('. '), JSON.stringify(next));
});

test('does not split surrogate pairs', () => {
  for (const chunk of chunksOf('\u{1f469}'.repeat(500), { size: 101, overlap: 33 })) {
    assert.ok(chunk.isWellFormed());
  }
});

test('lets other work run while a very long text is split', async () => {
  const text = 'ab cd '.repeat(3_000_000);
  async function* documents() {
    yield { source: 'a.txt', type: 'upload', title: null, text };
  }
  const counts = { documents: 0, chunks: 0 };
  const drafts = createImportDrafts(documents(), { size: 100, overlap: 50 }, counts);
  const turns = await turnsDuring(() => drafts.next());
  assert.ok(turns > 5, `${turns} turns`);
});

test.run();
