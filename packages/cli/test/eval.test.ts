import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { startApi, type Received, type Routes } from './support/api-server.js';
import { temporaryHome } from './support/home.js';
import { entryOf, hitOf } from './support/samples.js';
import { runTrove } from './support/trove.js';

const test = suite('trove eval');
const scores = { dense: null, sparse: 1, rerank: null };
const uri = (name: string) => `file://local/data/notes/${name}`;

function hit(name: string, overrides: object = {}) {
  const { metadata } = hitOf();
  return hitOf({ source: uri(name), metadata: { ...metadata, scores }, ...overrides });
}

/** Answers each question with its hits, and tells the state of a server with one source. */
function routesOf(
  hitsOf: Readonly<Record<string, readonly object[]>>,
  embedder: () => string = () => 'lexical/v2/512',
): Routes {
  return {
    'POST /v1/search/batch': ({ body }: Received) => ({
      results: Object(body).queries.map(({ q }: { q: string }) => ({
        ok: true,
        value: { results: hitsOf[q] ?? [] },
      })),
    }),
    'GET /v1/status': () => ({
      connectors: [{ root_uri: uri('').slice(0, -1), chunk_count: 12, error: null }],
      embedding: { name: embedder(), switch: null },
    }),
    'GET /v1/ls': () => ({ entries: [entryOf(), entryOf({ name: 'b.md' })], capabilities: {} }),
  };
}

const question = (text: string, ...wanted: readonly unknown[]): string =>
  `${JSON.stringify({ question: text, wanted })}\n`;

async function startEval(lines: string, routes: Routes) {
  const home = await temporaryHome();
  const api = await startApi(routes);
  const write = (text: string) => writeFile(join(home.path, 'questions.jsonl'), text);
  await write(lines);
  return {
    home: home.path,
    api,
    write,
    run: (...args: string[]) =>
      runTrove(['eval', 'questions.jsonl', ...args, '--endpoint', api.endpoint], {
        home: home.path,
      }),
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

test('prints the figures of each mode, and what was found instead of the wanted', async () => {
  const lines =
    '# The questions of the team\n\n' +
    question('first', uri('a.md')) +
    question('third', '/data/notes/a.md') +
    question('none', uri('a.md'), '"no such text"');
  await using run = await startEval(
    lines,
    routesOf({
      first: [hit('a.md'), hit('b.md')],
      third: [hit('b.md'), hit('c.md'), hit('a.md')],
      none: [hit('b.md')],
    }),
  );
  const { code, stdout, stderr } = await run.run('--mode', 'hybrid', '--mode', 'keyword');
  assert.equal([code, stderr], [0, '']);
  const [header, hybrid, keyword, ...rest] = stdout.split('\n');
  assert.equal(header?.split(/\s{2,}/), [
    'MODE',
    'QUESTIONS',
    'FIRST',
    'TOP 3',
    'TOP 10',
    'MRR',
    'NDCG@10',
  ]);
  assert.equal(hybrid?.split(/\s{2,}/), ['hybrid', '3', '33 %', '67 %', '67 %', '0.444', '0.500']);
  assert.match(keyword ?? '', /^keyword /);
  assert.equal(rest.slice(0, 6), [
    '',
    'hybrid: not found',
    '  line 5: none',
    `    wanted  ${uri('a.md')}`,
    '    wanted  "no such text"',
    '    found   /data/notes/b.md:4-5  0.83',
  ]);
  const modes = run.api.received
    .filter(({ route }) => route === 'POST /v1/search/batch')
    .map(({ body }) => Object(body).queries.map((query: object) => Object(query).mode));
  assert.equal(modes, [Array(3).fill('hybrid'), Array(3).fill('keyword')]);
});

test('shows what changed since the last run, and in which settings', async () => {
  let found: Record<string, readonly object[]> = {
    up: [hit('b.md'), hit('a.md')],
    down: [hit('a.md')],
  };
  let embedder = 'lexical/v2/512';
  const routes = routesOf({}, () => embedder);
  await using run = await startEval(question('up', uri('a.md')) + question('down', uri('a.md')), {
    ...routes,
    'POST /v1/search/batch': (request) => routesOf(found)['POST /v1/search/batch']?.(request),
  });
  const first = await run.run();
  assert.not.match(first.stdout, 'since the last run');
  assert.match((await run.run()).stdout, 'all questions have the same rank');
  found = { up: [hit('a.md')], down: [hit('b.md')] };
  embedder = 'openai/small/1536';
  const second = await run.run('--no-save', '--filter', 'team = "light"');
  assert.equal(second.stdout.split('\n').slice(-8), [
    'hybrid: since the last run, just now',
    '  changed  embedder: lexical/v2/512 → openai/small/1536',
    '  changed  --filter: none → team = "light"',
    '  top 3 100 % → 50 %, top 10 100 % → 50 %, MRR 0.750 → 0.500, nDCG@10 0.815 → 0.500',
    '  1 question better, 1 question worse',
    '  better  2 → 1  up',
    '  worse   1 → not found  down',
    '',
  ]);
  await run.write(question('up', uri('a.md')) + question('new', uri('a.md')));
  const third = await run.run('--json');
  const [mode] = JSON.parse(third.stdout).modes;
  assert.equal(
    mode.since_last_run.won,
    [{ question: 'up', before: 2, now: 1 }],
    'not saved before',
  );
  assert.equal(mode.since_last_run.lost, []);
  assert.is(mode.since_last_run.not_compared, 2);
  assert.equal(mode.questions[0].hits, [
    { source: uri('a.md'), locator: { lines: [4, 5] }, score: 0.8312 },
  ]);
  const other = await run.run('--name', 'other', '--json');
  assert.is(JSON.parse(other.stdout).modes[0].since_last_run, null);
});

test('looks up the lines of headings, and tells why a wanted place cannot be found', async () => {
  const outline = [
    { line: 1, end: 9, text: '# Guide', name: null, level: 1 },
    { line: 4, end: 9, text: '## `Token` rotation', name: null, level: 2 },
  ];
  await using run = await startEval(
    question('within', `${uri('a.md')}#token rotation`) +
      question('above', `${uri('a.md')}#Guide`) +
      question('unknown', `${uri('a.md')}#Moon`) +
      question('elsewhere', '/data/other.md'),
    {
      ...routesOf({
        within: [hit('a.md')],
        above: [hit('a.md', { locator: { lines: [20, 30] } })],
      }),
      'GET /v1/cat': () => ({ source: uri('a.md'), content: '', partial: false, outline }),
    },
  );
  const { stdout } = await run.run();
  assert.match(stdout, /^hybrid +4 +25 % /m);
  assert.match(stdout, 'line 2: above');
  assert.match(stdout, `wanted  ${uri('a.md')}#Moon  (has no heading or definition "Moon")`);
  assert.match(stdout, 'wanted  /data/other.md  (/data/other.md does not exist and is not part');
  const outlines = run.api.received.filter(({ route }) => route === 'GET /v1/cat');
  assert.equal(
    outlines.map(({ query }) => query['density']),
    ['peek'],
  );
});

test('exits with 1 below a minimum, and with 2 after an error', async () => {
  await using run = await startEval(
    question('one', uri('a.md')) + question('two', uri('a.md')),
    routesOf({ one: [hit('a.md')], two: [hit('b.md'), hit('a.md')] }),
  );
  assert.is((await run.run('--min-first', '0.5', '--min-top3', '1')).code, 0);
  const below = await run.run('--min-first', '0.6', '--min-mrr', '0.8');
  assert.is(below.code, 1);
  assert.match(below.stderr, 'hybrid: 0.500 is less than --min-first 0.6');
  assert.match(below.stderr, 'hybrid: 0.750 is less than --min-mrr 0.8');
  const invalid: readonly (readonly [string[], RegExp])[] = [
    [['--min-first', '90'], /--min-first must be a number from 0 to 1/],
    [['--mode', 'fuzzy'], /--mode must be one of hybrid, semantic, keyword/],
    [['-k', '3'], /--top-k must be from 10 to 100/],
  ];
  for (const [args, reason] of invalid) {
    const { code, stderr } = await run.run(...args);
    assert.is(code, 2, args.join(' '));
    assert.match(stderr, reason);
  }
});

test('names the lines of a file that are not questions', async () => {
  await using run = await startEval(
    question('fine', 'a.md') +
      '{"question": "x"\n' +
      '{"question": " ", "wanted": ["a"]}\n' +
      '{"question": "x", "wanted": []}\n' +
      '{"question": "x", "wanted": ["a", {"uri": "b"}]}\n' +
      '{"question": "x", "answers": ["a"]}\n' +
      '[]\n',
    {},
  );
  const { code, stderr } = await run.run();
  assert.is(code, 2);
  for (const problem of [
    'line 2: must be a JSON object',
    'line 3: `question` must be a text that is not blank',
    'line 4: `wanted` must be a list with at least one place',
    'line 5: `wanted[1]` has the unknown member `uri`',
    'line 6: unknown member `answers`',
    'and 1 more',
  ])
    assert.match(stderr, problem);
  assert.match(stderr, 'hint: Write lines such as {"question"');
  await run.write(question('twice', 'a.md') + question('twice', 'b.md'));
  assert.match((await run.run()).stderr, 'line 2: the question occurs before');
  await run.write('\n');
  assert.match((await run.run()).stderr, 'has no questions');
  assert.equal(run.api.received, []);
});

test.run();
