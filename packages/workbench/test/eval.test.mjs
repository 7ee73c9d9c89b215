import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { compare } from '../src/eval/compare.mjs';
import { judge, summarize } from '../src/eval/documentation/score.mjs';
import { readJudgedQuestions, trees } from '../src/eval/documentation/trees.mjs';
import { arePaths } from '../src/eval/documents.mjs';
import { extensionOf } from '../src/eval/extensions.mjs';
import { definitionsIn, mistypeQuestions } from '../src/eval/questions.mjs';
import { chanceOf } from '../src/eval/significance.mjs';

const test = suite('evaluation of search');
const program = fileURLToPath(new URL('../src/eval/eval.mjs', import.meta.url));

test('takes ids as paths only if all can be files of one tree', () => {
  assert.ok(arePaths(['src/a.ts', 'src/b/c.ts', 'README.md']));
  assert.not(arePaths(['1', '2']), 'no folder, no extension');
  assert.not(arePaths(['a.ts', 'b.ts']), 'no folder, so the ids may be ordinary names');
  assert.not(arePaths(['src/a.ts', '../b.ts']));
  assert.not(arePaths(['/etc/a.ts', 'src/b.ts']));
  assert.not(arePaths(['src/a.ts', 'src/a.ts/b.ts']), 'a file in a file');
  assert.not(arePaths(['src/a.ts#0', 'src/a.ts#1']));
});

test('gives code the extension of its language', () => {
  const cases = [
    ['.py', 'def f(x):\n  return x'],
    ['.rs', 'use std::fmt;\n\npub fn main() {\n}'],
    ['.go', 'func main() {\n}'],
    ['.cpp', '#include <vector>\nint main() { return 0; }'],
    ['.java', 'public int size() { return 1; }'],
    ['.php', '<?php echo 1;'],
    ['.cs', 'using System.Text;\n\nnamespace A;'],
    ['.ts', 'export interface A {\n  b: string;\n}'],
    ['.js', 'function f() {\n}'],
    ['.rb', 'def f\n  1\nend'],
    ['.kt', 'fun main() {\n}'],
    ['.sh', '#!/bin/bash\nls'],
    ['.txt', 'The use of functions is an import matter, and so is the type of wing.'],
  ];
  for (const [extension, text] of cases) assert.is(extensionOf(text), extension, text);
});

test('makes one reproducible typing error per question', () => {
  const questions = [
    { id: '1', text: 'how does lift depend on temperature?' },
    { id: '2', text: 'if so, how' },
  ];
  const [first, ...others] = mistypeQuestions(questions);
  assert.is(others.length, 0, 'no word to err in');
  assert.equal(mistypeQuestions(questions), [first]);
  const [was, is] = [questions[0].text, first.text].map((text) => text.split(' '));
  assert.is(is.filter((word, at) => word !== was[at]).length, 1, first.text);
});

test('takes names that one document defines and another uses as definitions', () => {
  const names = Array.from({ length: 12 }, (_, at) => `compute${at}`);
  const documents = [
    ...names.map((name) => ({ id: `of ${name}`, text: `export function ${name}() {}` })),
    { id: 'uses', text: names.join('(); ') },
    { id: 'one', text: 'class Doubled {}' },
    { id: 'other', text: 'class Doubled {}\nclass Unused {}' },
  ];
  const { questions, grades } = definitionsIn(documents);
  assert.equal(new Set(questions.map(({ text }) => text)), new Set(names));
  assert.equal([...grades.get('compute3')], [['of compute3', 1]]);
});

test('distinguishes a change of all questions from one that half of them undo', () => {
  assert.ok(chanceOf([Array.from({ length: 30 }, () => 0.1)]) < 0.001);
  assert.ok(chanceOf([Array.from({ length: 30 }, (_, at) => (at % 2 ? 0.1 : -0.1))]) > 0.5);
  assert.is(chanceOf([[0, 0, 0]]), 1);
});

test('compares runs by their common questions', () => {
  const row = (collection, values) => ({
    collection,
    set: 'judged',
    mode: 'hybrid',
    figures: Object.entries(values).map(([id, ndcg]) => ({ id, ndcg })),
  });
  const before = [row('a', { q1: 0.5, q2: 0.5, q3: 1 }), row('b', { q1: 0 })];
  const now = [row('a', { q1: 1, q2: 0.5, q4: 0 }), row('b', { q1: 1 }), row('c', { q1: 1 })];
  const changes = compare(before, now);
  assert.equal(
    changes.map(({ collection, was, is }) => [collection, was, is]),
    [
      ['a', 0.5, 0.75],
      ['b', 0, 1],
      ['all', 0.25, 0.875],
    ],
  );
});

test('reports wrong usage in one line before any work', async () => {
  const work = await mkdtemp(join(tmpdir(), 'eval-test-'));
  try {
    const file = join(work, 'corpus.jsonl');
    for (const name of ['queries.jsonl', 'qrels.tsv']) await writeFile(join(work, name), '');
    await writeFile(file, '{"rows": [{}]}');
    const missing = join(work, 'none');
    for (const { given, expected } of [
      { given: [missing], expected: `cannot read ${missing} (ENOENT)` },
      { given: ['--nope', work], expected: "Unknown option '--nope'" },
      { given: [work, '--against', missing], expected: `cannot read ${missing} (ENOENT)` },
      { given: [work, '--against', file], expected: `${file} was not written by --save` },
    ]) {
      const ended = await promisify(execFile)('node', [program, ...given]).catch((error) => error);
      assert.is(ended.code, 2, ended.stderr);
      assert.is(ended.stderr.split('\n')[0], `error: ${expected}`);
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
});

test('judges, saves, compares and reports a tree with its layout', async () => {
  const work = await mkdtemp(join(tmpdir(), 'eval-test-'));
  try {
    const collection = join(work, 'small');
    await mkdir(collection);
    const lines = (items) => items.map((item) => JSON.stringify(item)).join('\n');
    const texts = { 'docs/lift.md': 'Wings generate lift.', 'src/boat.md': 'Boats float.' };
    const corpus = Object.entries(texts).map(([id, text]) => ({ id, title: '', text }));
    await writeFile(join(collection, 'corpus.jsonl'), lines(corpus));
    await writeFile(
      join(collection, 'queries.jsonl'),
      lines([{ id: 'q', text: 'what generates lift in docs' }]),
    );
    await writeFile(join(collection, 'qrels.tsv'), 'q\tdocs/lift.md\t1\n');
    const [saved, report] = [join(work, 'run.json'), join(work, 'report.md')];
    const run = (...options) => promisify(execFile)('node', [program, collection, ...options]);
    await run('--save', saved);
    const { stdout } = await run('--against', saved, '--report', report);
    assert.match(stdout, /small +judged +hybrid +1\.0000 +1\.0000 +1\.0000 +1/);
    assert.match(stdout, /small +judged +hybrid +1\.0000 +1\.0000 +\+0\.0000 +1\.0000/);
    assert.match(await readFile(report, 'utf8'), /!\[.*\]\(report\.svg\)[\s\S]*## Twins/);
    assert.match(await readFile(join(work, 'report.svg'), 'utf8'), /^<svg/);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
});

test('judges an answer by its quotations, without the marks of Markdown', () => {
  const wanted = ['the fee is 20 crowns', 'nothing'];
  const passages = [{ text: 'The **fee** is\n`20` [crowns](a.md). More.' }];
  const verdict = judge(
    { wanted },
    {
      answer: '“More.” [a]\n“The **fee** is `20` [crowns](a.md).” [a]',
      retrieved_passages: passages,
    },
  );
  assert.equal(verdict, { isRetrieved: true, isQuoted: true, isFirst: false, quotes: 2 });
  const missed = judge({ wanted }, { answer: 'not found in this graph', retrieved_passages: [] });
  assert.equal(missed, { isRetrieved: false, isQuoted: false, isFirst: false, quotes: 0 });
  const summary = { questions: 2, retrieved: 50, quoted: 50, first: 0, quotes: 1 };
  assert.equal(summarize([verdict, missed]), summary);
});

test('the pages of other packages contain the wanted text of each judged question', async () => {
  const texts = new Map();
  // Our own pages change with every edit, and the evaluation shows what it no longer finds.
  const { trove, ...others } = trees;
  assert.ok(trove.endsWith('docs'));
  for (const [tree, folder] of Object.entries(others)) {
    const names = (await readdir(folder, { recursive: true })).filter((each) =>
      each.endsWith('.md'),
    );
    const pages = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    texts.set(tree, pages);
  }
  const questions = await readJudgedQuestions();
  assert.is(questions.length, 60);
  assert.is(questions.filter(({ half }) => half === 'tuning').length, 30);
  for (const each of questions.filter(({ tree }) => texts.has(tree))) {
    const passages = (texts.get(each.tree) ?? []).map((text) => ({ text }));
    const { isRetrieved } = judge(each, { answer: '', retrieved_passages: passages });
    assert.ok(isRetrieved, each.question);
  }
});

test.run();
