import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rankOf } from '../src/eval/passages/ask-questions.mjs';
import { problemsOf } from '../src/eval/passages/check-questions.mjs';
import { lossesOf, setRows } from '../src/eval/passages/passage-report.mjs';
import { halfOf, readQuestionSets } from '../src/eval/passages/question-sets.mjs';

const test = suite('judged questions');
const run = promisify(execFile);
const program = fileURLToPath(new URL('../src/eval/eval-questions.mjs', import.meta.url));
const ownSets = fileURLToPath(new URL('../src/eval/judged', import.meta.url));

const wing = 'The wing\n\nA curved wing deflects air downwards.\nThis generates lift.\n';
const files = {
  'docs/wing.md': wing,
  'docs/tail.md': 'The tail\n\nIt keeps the aircraft stable.\n',
};

test.before.each(async (context) => {
  context.work = await mkdtemp(join(tmpdir(), 'eval-questions-'));
});

test.after.each(async ({ work }) => {
  await rm(work, { recursive: true, force: true });
});

test('counts a hit if its lines overlap a wanted passage', () => {
  const question = { wanted: [{ path: 'a.md', lines: [10, 20] }] };
  const hit = (path, lines) => [{ path, lines }];
  assert.is(rankOf([hit('a.md', [20, 30])], question), 1);
  assert.is(rankOf([hit('a.md', [21, 30]), hit('a.md', [1, 10])], question), 2);
  assert.is(rankOf([hit('b.md', [10, 20])], question), null);
  assert.is(rankOf([hit('a.md', null)], question), null);
  const twin = [
    { path: 'b.md', lines: [10, 20] },
    { path: 'a.md', lines: [10, 20] },
  ];
  assert.is(rankOf([twin], question), 1, 'another object with the same text');
});

test('states every problem of a question and of its passages', async ({ work }) => {
  await writeTree(join(work, 'planes'), files);
  const passage = { path: 'docs/wing.md', lines: [3, 4], quote: 'deflects air' };
  const good = questionWith('good', { wanted: [passage] });
  const problemsWith = (changes) =>
    problemsOf(
      { collections: [{ name: 'planes' }], sets: [{ questions: [{ ...good, ...changes }] }] },
      work,
    );
  assert.equal(await problemsWith({}), []);
  for (const { changes, expected } of [
    { changes: { wanted: [] }, expected: 'it has no wanted passage' },
    { changes: { kind: 'who' }, expected: '"who" is not one of how, why, what, where' },
    { changes: { text: ' ' }, expected: 'it has no text' },
    { changes: { half: 'both' }, expected: `its half must be "${halfOf('good')}"` },
    { changes: { language: 'English' }, expected: '"English" is not a language code' },
    {
      changes: { wanted: [{ ...passage, path: 'no.md' }] },
      expected: 'no.md does not exist',
    },
    {
      changes: { wanted: [{ ...passage, lines: [1, 9] }] },
      expected: 'docs/wing.md:1-9 is outside the 5 lines of the file',
    },
    {
      changes: { wanted: [{ ...passage, lines: [4, 4] }] },
      expected: 'docs/wing.md:4-4 does not contain "deflects air"',
    },
  ])
    assert.equal(await problemsWith(changes), [`good: ${expected}`]);
  assert.equal(await problemsWith({ collection: 'ships' }), [
    'good: collections.json has no collection "ships"',
    'good: docs/wing.md does not exist',
  ]);
});

test('reports repeated ids', async ({ work }) => {
  const sets = [
    { questions: [questionWith('one', { wanted: [] }), questionWith('one', { wanted: [] })] },
  ];
  const problems = await problemsOf({ collections: [{ name: 'planes' }], sets }, work);
  assert.ok(problems.includes('one: this id occurs twice'), problems.join('\n'));
});

test('has well-formed questions and pinned repositories', async ({ work }) => {
  const { collections, sets } = await readQuestionSets(ownSets);
  for (const { name, commit, license } of collections) {
    assert.match(commit, /^[0-9a-f]{40}$/, name);
    assert.ok(license, name);
  }
  const problems = await problemsOf({ collections, sets }, work);
  // The repositories are not part of this project.
  assert.equal(
    problems.filter((problem) => !problem.endsWith(' does not exist')),
    [],
  );
  for (const { name, questions } of sets) {
    const halves = new Set(questions.map(({ half }) => half));
    assert.equal(halves, new Set(['tuning', 'held']), name);
  }
});

test('lists losses of the tuning half only, worst first', () => {
  const answer = (id, half, rank, mode = 'hybrid') => ({
    question: { id, half, kind: 'how', text: `${id}?`, wanted: [{ path: 'a', lines: [1, 2] }] },
    set: 'planes',
    mode,
    rank,
    first: { path: 'b', lines: [3, 4] },
  });
  const answers = [
    answer('won', 'tuning', 1),
    answer('late', 'tuning', 4),
    answer('unfound', 'tuning', null),
    answer('keyword', 'tuning', null, 'keyword'),
    answer('unseen', 'held', null),
  ];
  assert.equal(lossesOf(answers), [
    'unfound (how), not found: unfound?\n  wanted a:1-2\n  first  b:3-4',
    'late (how), rank 4: late?\n  wanted a:1-2\n  first  b:3-4',
  ]);
  assert.equal(setRows(answers)[0], [
    'planes',
    'tuning',
    'hybrid',
    '3',
    '33.3 %',
    '33.3 %',
    '66.7 %',
    '66.7 %',
  ]);
});

test('fetches a pinned commit, asks in each mode and prints the shares', async ({ work }) => {
  const clone = join(work, 'clones', 'sky', 'planes');
  await writeTree(clone, { ...files, 'docs/tail.md': 'Nothing yet\n' });
  await commitAll(clone);
  await writeTree(clone, files);
  const pinned = await commitAll(clone);
  await writeTree(clone, { 'docs/wing.md': 'Changed since\n' });
  await commitAll(clone);
  const sets = join(work, 'sets');
  await writeSets(sets, pinned);
  const folder = join(work, 'repositories');
  const evaluate = (...options) => run('node', [program, folder, '--sets', sets, ...options]);

  const missing = await evaluate().catch((error) => error);
  assert.is(missing.code, 2);
  assert.match(missing.stderr, /^error: 2 problems in .*\nlift: wing\.md does not exist\n/);

  const fetched = await evaluate('--fetch', '--clones', join(work, 'clones'), '--check');
  assert.match(fetched.stdout, new RegExp(`^planes: https://example.org/sky/planes at ${pinned}`));
  assert.match(fetched.stdout, /^2 questions, all wanted passages exist$/m);
  assert.is(await readFile(join(folder, 'planes', 'wing.md'), 'utf8'), wing);
  assert.equal(await readdir(folder), ['planes']);

  const saved = join(work, 'run.json');
  await evaluate('--save', saved);
  const { stdout } = await evaluate('--against', saved);
  for (const mode of ['hybrid', 'semantic', 'keyword'])
    assert.match(stdout, new RegExp(`all +planes +${mode} +2 +100\\.0 % +100\\.0 % +100\\.0 %`));
  assert.match(stdout, /flight +held +hybrid +1\.0000 +1\.0000 +\+0\.0000 +1\.0000/);

  const unknown = await evaluate('--only', 'ships').catch((error) => error);
  assert.match(unknown.stderr, /^error: no set "ships", only flight$/m);
});

function questionWith(id, changes) {
  return {
    id,
    collection: 'planes',
    language: 'en',
    kind: 'how',
    half: halfOf(id),
    text: 'how does a wing generate lift?',
    ...changes,
  };
}

async function writeSets(folder, pinned) {
  const collection = {
    name: 'planes',
    repository: 'https://example.org/sky/planes',
    commit: pinned,
    folder: 'docs',
  };
  const questions = [
    questionWith('lift', { wanted: [{ path: 'wing.md', lines: [3, 4], quote: 'generates lift' }] }),
    questionWith('fin', {
      text: 'what keeps an aircraft stable?',
      wanted: [{ path: 'tail.md', lines: [3, 3], quote: 'keeps the aircraft stable' }],
    }),
  ];
  await writeTree(folder, {
    'collections.json': JSON.stringify([collection]),
    'flight.jsonl': questions.map((each) => `${JSON.stringify(each)}\n`).join(''),
  });
}

async function writeTree(folder, contents) {
  for (const [path, text] of Object.entries(contents)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Commits all files and returns the commit. */
async function commitAll(folder) {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada Lovelace',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada Lovelace',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
  };
  const git = (...args) => run('git', ['-C', folder, ...args], { env });
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Write');
  return (await git('rev-parse', 'HEAD')).stdout.trim();
}

test.run();
