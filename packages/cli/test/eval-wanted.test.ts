import type { ResultEnvelope } from '@trove/client';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { readQuestions } from '../src/evaluation/questions-file.js';
import { isWanted, parseWanted } from '../src/evaluation/wanted.js';

const test = suite('wanted places');
const folder = '/data/questions';

function hit(source: string, overrides: Partial<ResultEnvelope> = {}): ResultEnvelope {
  return {
    source,
    content: 'Tokens are rotated\nevery night.',
    score: 0.8,
    locator: { lines: [4, 5] },
    metadata: {
      kind: 'text',
      chunk_kind: 'body',
      connector_type: 'file',
      media_type: null,
      title: null,
      modified_at: null,
      url: null,
      author: null,
      also: [],
      demoted_reason: null,
      fields: {},
      scores: { dense: null, sparse: null, rerank: null },
    },
    ...overrides,
  };
}

const note = hit('file://local/data/notes/a%20b.md');

test('match objects, folders, lines, records, texts, copies and pages', () => {
  const row = hit('file://local/data/rows.jsonl', { locator: { id: 7, part: 'x' } });
  const page = hit('notion://team/1', {
    metadata: { ...note.metadata, url: 'https://n.example/p', also: ['file:///data/copy.md'] },
  });
  const cases: readonly (readonly [unknown, ResultEnvelope, boolean])[] = [
    ['../notes/a b.md', note, true],
    ['/data/notes/a b.md', note, true],
    ['file:///data/notes/a%20b.md', note, true],
    ['file://local/data/notes/', note, true],
    ['../notes', note, true],
    ['../note', note, false],
    ['../notes/a b.md:5-9', note, true],
    ['../notes/a b.md:6', note, false],
    ['../notes/a b.md:4', row, false],
    ['../rows.jsonl:{"id":7}', row, true],
    ['../rows.jsonl:{"id":8}', row, false],
    ['../rows.jsonl:{"id":7}', note, false],
    ['"ROTATED  every"', note, true],
    ['"rotated never"', note, false],
    [{ text: 'every night' }, note, true],
    [{ source: '../notes', text: 'every night' }, note, true],
    [{ source: '../notes', text: 'every day' }, note, false],
    [{ source: '../other', text: 'every night' }, note, false],
    ['notion://team', page, true],
    ['https://n.example/p', page, true],
    ['../copy.md', page, true],
  ];
  for (const [value, found, expected] of cases) {
    const wanted = parseWanted(value, folder, []);
    if (typeof wanted === 'string') throw new Error(`${JSON.stringify(value)}: ${wanted}`);
    assert.is(isWanted(found, wanted), expected, `${JSON.stringify(value)} ${found.source}`);
  }
});

test('state what is wrong with them', () => {
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [' ', /must not be blank/],
    ['""', /must not be blank/],
    [7, /must be a text or an object/],
    [{}, /must have `source` or `text`/],
    [{ source: 1 }, /`source` must be a text/],
    [{ text: ' ' }, /`text` must be a text/],
    [{ source: 'a', lines: [1, 2] }, /unknown member `lines`/],
  ];
  for (const [value, problem] of cases) {
    const wanted = parseWanted(value, folder, []);
    assert.match(typeof wanted === 'string' ? wanted : 'accepted', problem);
  }
});

test('finds a repeated question among 60,000 in a few seconds', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'trove-questions-'));
  try {
    const path = join(directory, 'questions.jsonl');
    const numbers = [...Array.from({ length: 60_000 }, (_, at) => at), 0];
    const lines = numbers.map((at) =>
      JSON.stringify({ question: `question ${at}`, wanted: ['a.md'] }),
    );
    await writeFile(path, lines.join('\n'));
    const start = performance.now();
    assert.throws(() => readQuestions(path, []), /line 60001: the question occurs before/);
    assert.ok(performance.now() - start < 10_000);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test.run();
