import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chunksOf, type ChunkOptions } from '../../src/build/chunks.js';
import { createImportDrafts } from '../../src/build/import-drafts.js';
import { turnsDuring } from '../support/turns.js';

const test = suite('chunks');

function textsOf(text: string, options: ChunkOptions): string[] {
  return Array.from(chunksOf(text, options), (chunk) => chunk.text);
}

const words = Array.from({ length: 2000 }, (_, n) => `word${n}`).join(' ');

test('splits a short text into one chunk and a blank text into none', () => {
  assert.equal(textsOf('short', { size: 100, overlap: 20 }), ['short']);
  assert.equal(textsOf(' \n ', { size: 100, overlap: 20 }), []);
});

test('limits chunks, lets them overlap and omits nothing', () => {
  for (const [size, overlap] of [
    [100, 0],
    [100, 50],
    [1000, 200],
    [333, 7],
  ] as const) {
    const chunks = textsOf(words, { size, overlap });
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
  const [first = ''] = textsOf(text, { size: 100, overlap: 0 });
  assert.ok(first.endsWith('\n\n'), JSON.stringify(first));
  const [next = ''] = textsOf('A sentence here. '.repeat(20), { size: 100, overlap: 0 });
  assert.ok(next.endsWith('. '), JSON.stringify(next));
});

test('ends chunks before headings and after wrapped sentences', () => {
  const section = `## Mooring\n\nThe harbour has twelve berths for large\nships. They are always open.\n\n`;
  const [first = ''] = textsOf(`${section}${section}`, { size: 150, overlap: 0 });
  assert.is(first, section);
  const wrapped = 'A sentence that is wrapped\nafter five words. '.repeat(10);
  const [whole = ''] = textsOf(wrapped, { size: 100, overlap: 0 });
  assert.ok(whole.endsWith('words. '), JSON.stringify(whole));
});

test('begins the text that chunks share with a whole sentence', () => {
  const text = Array.from({ length: 30 }, (_, n) => `This is the sentence number ${n}.`).join(' ');
  const chunks = textsOf(text, { size: 200, overlap: 60 });
  for (const chunk of chunks) assert.match(chunk, /^This is/);
  assert.ok(chunks.slice(1).every((chunk, at) => chunks[at]?.includes(chunk.slice(0, 30))));
});

test('states the headings above a chunk of Markdown, but not of programs', async () => {
  const text = `# Harbour\n\nAn old harbour.\n\n## Mooring\n\n${'It has berths. '.repeat(8)}\n\n\`\`\`sh\n# no heading\n\`\`\`\n\n${'They are open. '.repeat(8)}`;
  const sectionsOf = async (isMarkdown: boolean): Promise<unknown[]> => {
    async function* documents() {
      yield { source: 'a', type: 'upload', title: 'Harbour', text, isMarkdown };
    }
    const counts = { documents: 0, chunks: 0 };
    const sections: unknown[] = [];
    const drafts = createImportDrafts(documents(), { size: 150, overlap: 0 }, counts);
    for await (const { metadata } of drafts) sections.push(metadata['section']);
    return sections;
  };
  const sections = await sectionsOf(true);
  assert.is(sections[0], undefined);
  assert.equal([...new Set(sections.slice(1))], ['Harbour > Mooring']);
  assert.ok((await sectionsOf(false)).every((each) => each === undefined));
});

test('does not split surrogate pairs', () => {
  for (const chunk of textsOf('\u{1f469}'.repeat(500), { size: 101, overlap: 33 })) {
    assert.ok(chunk.isWellFormed());
  }
});

test('lets other work run while a very long text is split', async () => {
  const text = 'ab cd '.repeat(3_000_000);
  async function* documents() {
    yield { source: 'a.txt', type: 'upload', title: null, text, isMarkdown: false };
  }
  const counts = { documents: 0, chunks: 0 };
  const drafts = createImportDrafts(documents(), { size: 100, overlap: 50 }, counts);
  const turns = await turnsDuring(() => drafts.next());
  assert.ok(turns > 5, `${turns} turns`);
});

test.run();
