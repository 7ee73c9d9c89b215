import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { charsOf, linesOf, type ObjectKind } from '@trove/core';
import { lineStarts, sliceLines, withoutLineEnd } from '@trove/text/encodings';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { assertCheap } from '@trove/test-support/waiting.js';
import { chunkText, type Chunk, type ChunkResult } from '../src/content/chunking/index.js';

const test = suite('chunking');

interface Options {
  readonly kind?: ObjectKind;
  readonly path?: string;
  readonly mediaType?: string;
  readonly maxChars?: number;
  readonly maxChunks?: number;
}

function chunk(text: string, options: Options = {}): ChunkResult {
  return chunkText({
    text,
    kind: options.kind ?? 'document',
    mediaType: options.mediaType ?? null,
    path: options.path ?? '',
    maxChars: options.maxChars ?? 2048,
    maxChunks: options.maxChunks ?? 100_000,
  });
}

/** Reads the text at a locator, by the rules for line ranges. */
function textAt(text: string, starts: readonly number[], { locator }: Chunk): string {
  const lines = linesOf(locator);
  assert.ok(lines !== null);
  const whole = sliceLines(text, starts, lines.start, lines.end);
  const chars = charsOf(locator);
  if (chars === null) return whole;
  assert.is(lines.start, lines.end, 'only parts of a single line have `chars`');
  return withoutLineEnd(whole).slice(chars.start, chars.end);
}

/** The invariants for texts of every format. */
function assertLaws(text: string, { chunks }: ChunkResult, maxChars: number): void {
  const starts = lineStarts(text);
  const covered = new Map<number, string>();
  let end = 0;
  for (const part of chunks) {
    assert.ok(part.content.length <= maxChars, 'at most `maxChars`');
    assert.ok(part.content.trim() !== '', 'not blank');
    const read = textAt(text, starts, part);
    assert.ok(withoutLineEnd(read) === part.content, 'the locator reads exactly the content');
    const lines = linesOf(part.locator);
    assert.ok(lines !== null && lines.start >= end, 'in order');
    end = lines.end;
    for (let line = lines.start; line <= lines.end; line++) {
      covered.set(line, (covered.get(line) ?? '') + part.content);
    }
    const isWhole = charsOf(part.locator) === null;
    if (text.isWellFormed()) assert.ok(part.content.isWellFormed(), 'no split character');
    if (isWhole) assert.ok(covered.get(lines.start) === part.content, 'no overlap');
  }
  starts.forEach((start, index) => {
    const line = text.slice(start, starts[index + 1] ?? text.length);
    const ink = line.replace(/\s+/g, '');
    if (ink === '') return;
    const content = covered.get(index + 1)?.replace(/\s+/g, '');
    assert.ok(content?.includes(ink), `line ${index + 1} is in a chunk`);
  });
}

const paths = [
  'a.md',
  'a.rst',
  'a.adoc',
  'a.ts',
  'a.py',
  'a.clj',
  'a.sql',
  'a.sh',
  'a.json',
  'a.yaml',
  'a.csv',
  'a.log',
  'a.toml',
];

/** A small seeded generator for odd texts. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pieces = [
  '\n',
  '\n',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  ' ',
  '  ',
  '\t',
  '# ',
  '## A\n',
  '=====\n',
  '-----\n',
  '```\n',
  '---\n',
  'word ',
  'Sentence. ',
  'class X {\n',
  '  def f(x):\n',
  'function f() {\n',
  '}\n',
  '// note\n',
  '@decorator\n',
  '"',
  '"key": {\n',
  'key:\n',
  '- item\n',
  '[section]\n',
  'a,b,"c\n',
  '😀',
  '😀😀😀😀',
  '語の',
  'é',
  '\u2028',
  'x'.repeat(70),
  '🏴'.repeat(40),
  ';',
  '({[',
];

test('keeps its invariants for random texts of every format', () => {
  const next = random(7);
  for (let round = 0; round < 600; round++) {
    let text = '';
    for (let i = next(60); i >= 0; i--) text += pieces[next(pieces.length)] ?? '';
    const maxChars = [2, 3, 17, 64, 300][next(5)] ?? 64;
    const path = paths[round % paths.length] ?? '';
    const kind = path === 'a.ts' || path === 'a.py' ? 'code' : 'text';
    assertLaws(text, chunk(text, { path, kind, maxChars }), maxChars);
  }
});

test('keeps its invariants for the files of this repository', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  let files = 0;
  for (const file of walk(root)) {
    const text = readFileSync(file, 'utf8');
    const kind =
      extname(file) === '.md' ? 'document' : /\.(?:ts|js|mjs)$/.test(file) ? 'code' : 'text';
    for (const maxChars of [200, 2048])
      assertLaws(text, chunk(text, { path: file, kind, maxChars }), maxChars);
    files++;
  }
  assert.ok(files > 50, `${files} files`);
});

function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.'))
      continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (/\.(?:ts|md|json|mjs|toml|yaml)$/.test(entry.name)) yield path;
  }
}

test('an empty or blank text has no chunks', () => {
  assert.equal(chunk(''), { chunks: [], partial: false, title: null });
  assert.equal(chunk(' \n\t\r\n\n'), { chunks: [], partial: false, title: null });
});

test('a short text is one chunk without surrounding blank lines', () => {
  const { chunks } = chunk('\n\n  one\r\ntwo\r\n\r\n\n');
  assert.equal(chunks, [
    { content: '  one\r\ntwo', locator: { lines: [3, 4] }, context: '', names: '', members: '' },
  ]);
});

test('Markdown is split at headings, which become context', () => {
  const body = (word: string): string => `${`${word} `.repeat(40).trim()}.\n\n`;
  const text = `# Guide\n\n${body('intro')}## Setup\n\n${body('setup')}${body('more')}### Linux\n\n${body('penguins')}## Use\n\n${body('use')}`;
  const { chunks, title } = chunk(text, { maxChars: 480 });
  assert.is(title, 'Guide');
  assert.equal(
    chunks.map((part) => [part.content.split(/\s/, 2).join(' '), part.context]),
    [
      ['# Guide', ''],
      ['## Setup', 'Setup'],
      ['### Linux', 'Setup > Linux'],
      ['## Use', 'Use'],
    ],
  );
});

test('small adjacent sections share a chunk with their common context', () => {
  const { chunks } = chunk('# A\n\n## B\n\nb\n\n## C\n\nc\n');
  assert.equal(
    chunks.map((part) => part.context),
    [''],
  );
  const nested = chunk(`# T\n\n## A\n\n${'a '.repeat(300)}\n\n### B\n\nb\n\n### C\n\nc\n`, {
    maxChars: 615,
  });
  assert.equal(
    nested.chunks.map((part) => part.context),
    ['', 'A'],
  );
});

test('a chunk inside a section has its heading as context', () => {
  const paragraph = `${'word '.repeat(30).trim()}.\n\n`;
  const { chunks } = chunk(`# T\n\n## Long\n\n${paragraph.repeat(8)}## Next\n\nshort\n`, {
    maxChars: 500,
  });
  assert.ok(chunks.length > 2);
  assert.ok(chunks.slice(1).every((part) => part.context === 'Long'));
});

test('only the rows of a Markdown table have its columns as context', () => {
  const rows = '| 1 | fig |\n'.repeat(80);
  const text = `Before | after\n\n| id | fruit | |\n| --- | :-: | --- |\n${rows}\nText.\n\n| --- |\n| x |\n\n${'Words. '.repeat(50)}\n`;
  const { chunks, title } = chunk(text, { maxChars: 200 });
  const inTable = chunks.filter(({ content }) => content.startsWith('| 1'));
  assert.ok(inTable.length > 2);
  assert.ok(inTable.every(({ context }) => context === 'id | fruit'));
  assert.equal([chunks[0]?.context, chunks.at(-1)?.context], ['', '']);
  assert.is(title, 'Before | after');
  const headed = chunk(`# Prices\n\n## Fruit\n\n| id | fruit |\n|---|---|\n${rows}`, {
    maxChars: 200,
  });
  assert.is(headed.chunks.at(-1)?.context, 'Fruit > id | fruit');
});

test('no chunk spans two parts of a document', () => {
  const text = 'One.\n\nTwo.\n\n\nThree.\nFour.\n';
  const parts = [3, 6, 7].map((line, at) => ({ line, kind: 'page', number: at + 1 }) as const);
  const { chunks } = chunkText({
    text,
    kind: 'document',
    mediaType: 'text/markdown',
    path: '',
    maxChars: 2048,
    maxChunks: 100,
    parts,
  });
  assert.equal(
    chunks.map(({ content, locator }) => [content, linesOf(locator)?.start]),
    [
      ['One.', 1],
      ['Two.', 3],
      ['Three.', 6],
      ['Four.', 7],
    ],
  );
});

test('text that only resembles a heading is not one', () => {
  const fenced = chunk('```sh\n# not a heading\n```\n\n# Real\n\ntext\n');
  assert.is(fenced.title, 'Real');
  assert.is(chunk('---\nlayout: page\n---\n\nText.\n\n# Real\n').title, 'Real');
  assert.is(chunk('---\ntitle: "Stated"\n---\n\n# Other\n').title, 'Stated');
  assert.is(chunk('#hashtag\n\nbody\n').title, '#hashtag');
});

test('titles are headings or first lines of prose; code and data have none', () => {
  assert.is(chunk('Some intro.\n\n## Install ##\n').title, 'Install');
  assert.is(
    chunk('Chapter One\n===========\n\ntext', { path: 'a.rst', kind: 'text' }).title,
    'Chapter One',
  );
  assert.is(
    chunk('shock waves\n\nin a tube\n', { path: '184.txt', kind: 'text' }).title,
    'shock waves',
  );
  assert.is(
    chunk('A sentence that goes\non below.\n', { path: 'a.txt', kind: 'text' }).title,
    null,
  );
  const typed = (text: string) => chunk(text, { path: 'a.txt', kind: 'text' }).title;
  assert.is(
    typed(
      'levels of glucose and free\nfatty acids . \n coefficients have been determined\nin plasma .',
    ),
    'levels of glucose and free fatty acids .',
  );
  assert.is(typed('Report of May\n    It was a month of much rain.\nIt ended.'), 'Report of May');
  assert.is(typed('Options:\n  all of them are set by the shell'), null);
  assert.is(typed('- one point\n  that goes on over two lines of text'), null);
  assert.is(typed('retry(4)\n  at Object.run (file:1:2) and then some'), null);
  assert.is(typed(`${'long '.repeat(60)}\n  more of the same in this line`), null);
  assert.is(chunk('only line\n', { path: 'a.txt', kind: 'text' }).title, null);
  assert.is(chunk(`${'long '.repeat(40)}\nmore\n`, { kind: 'text' }).title, null);
  assert.is(chunk('# comment\nx = 1\n', { path: 'a.py', kind: 'code' }).title, null);
  assert.is(chunk('a,b\n1,2\n', { path: 'a.csv', kind: 'text' }).title, null);
});

test('code is split at definitions, which keep their comments', () => {
  const body = '  total += 1;\n'.repeat(12);
  const text = `import x;\n\n/** First. */\nexport function first() {\n${body}}\n\n// Second.\nclass Second {\n  method(a) {\n${body}  }\n}\n`;
  const { chunks } = chunk(text, { path: 'a.ts', kind: 'code', maxChars: 300 });
  assert.equal(
    chunks.map((part) => [part.content.split('\n', 1)[0], part.context]),
    [
      ['import x;', ''],
      ['// Second.', 'class Second'],
    ],
  );
});

test('a chunk inside a definition has its name as context', () => {
  const body = (name: string): string =>
    `    def ${name}(self):\n${'        step()\n'.repeat(10)}\n`;
  const text = `class Big(Base):\n${body('one')}${body('two')}${body('three')}\ntop = 1\n`;
  const { chunks } = chunk(text, { path: 'a.py', kind: 'code', maxChars: 220 });
  assert.equal(
    chunks.map((part) => part.context),
    ['class Big(Base)', 'class Big(Base) > def two(self)', 'class Big(Base)'],
  );
});

test('data is split at records', () => {
  const records = Array.from({ length: 6 }, (_, id) => ({ id, tags: ['a', 'b'] }));
  const { chunks } = chunk(JSON.stringify({ records }, null, 2), {
    path: 'a.json',
    kind: 'text',
    maxChars: 200,
  });
  assert.ok(chunks.length > 1);
  for (const part of chunks.slice(1)) {
    assert.ok(part.content.startsWith('    {'), part.content);
    assert.is(part.context, 'records');
  }
});

test('CSV records with quoted line breaks stay whole; the header is context', () => {
  const record = '1,"two\nlines"\n';
  const { chunks } = chunk(`id,text\n${record.repeat(20)}`, {
    path: 'a.csv',
    kind: 'text',
    maxChars: 60,
  });
  assert.ok(chunks.length > 3);
  assert.ok(chunks.every((part) => part.context === 'id,text'));
  assert.ok(chunks.slice(1).every((part) => part.content.startsWith('1,"two\nlines"')));
});

test('a long line is split at sentences, words or, last, characters', () => {
  const sentences = chunk('A short one. '.repeat(40), { maxChars: 100 }).chunks;
  assert.ok(sentences.every((part) => part.content.endsWith('one.')));
  const words = chunk('alpha beta gamma '.repeat(40), { maxChars: 100 }).chunks;
  assert.ok(
    words.every((part) => /^(?:alpha|beta|gamma)\b.*\b(?:alpha|beta|gamma)$/.test(part.content)),
  );
  const faces = chunk('😀'.repeat(100), { maxChars: 51 }).chunks;
  assert.ok(faces.every((part) => part.content.isWellFormed() && part.content.length <= 50));
  assert.equal(faces[0]?.locator, { lines: [1, 1], chars: [0, 50] });
});

test('stops at the maximum number of chunks and reports it', () => {
  const text = 'word '.repeat(1000);
  const all = chunk(text, { maxChars: 100 });
  assert.is(all.partial, false);
  const some = chunk(text, { maxChars: 100, maxChunks: 3 });
  assert.is(some.partial, true);
  assert.equal(some.chunks, all.chunks.slice(0, 3));
  assert.is(chunk(text, { maxChars: 100, maxChunks: all.chunks.length }).partial, false);
});

test('the format follows the media type, then the name, then the kind', () => {
  const text = '# Title\n\n- a: 1\n';
  assert.is(
    chunk(text, { mediaType: 'text/markdown', path: 'x.csv', kind: 'text' }).title,
    'Title',
  );
  assert.is(
    chunk(text, { mediaType: 'application/yaml; charset=utf-8', path: 'x.md', kind: 'text' }).title,
    null,
  );
  assert.is(chunk(text, { path: 'docs.v2/README.md', kind: 'text' }).title, 'Title');
  assert.is(chunk(text, { mediaType: 'application/pdf', path: 'x.pdf' }).title, 'Title');
});

test('hostile texts take time proportional to their length', async () => {
  const texts = [
    'x'.repeat(1e6),
    `${' '.repeat(1e6)}x`,
    '\n'.repeat(1e6),
    '# a\n'.repeat(200_000),
    'a\n===\n'.repeat(100_000),
    '['.repeat(1e6),
    '='.repeat(1e6).concat('x'),
    'export '.repeat(150_000),
    `${'a '.repeat(500_000)}{`,
    'const a = ('.repeat(90_000),
    'a)\n'.repeat(300_000),
    'a()\n'.repeat(250_000),
    'a b)\n'.repeat(200_000),
    `---\n${`title:${' '.repeat(900)}\u2028x\n`.repeat(150)}---\n`,
    'aaa bbb ccc (x)\n'.repeat(60_000),
    '// x\n'.repeat(200_000),
    Array.from({ length: 1400 }, (_, depth) => `${' '.repeat(depth)}def f():`).join('\n'),
  ];
  for (const text of texts) {
    for (const path of paths) {
      await assertCheap(20_000, () =>
        chunk(text, { path, kind: path === 'a.ts' ? 'code' : 'text' }),
      );
    }
  }
});

test.run();
