import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { fail, type Received, startApi } from './support/api-server.js';
import { temporaryHome } from './support/home.js';
import { capabilities, entryOf, hitOf, matchOf } from './support/samples.js';
import { runOnTerminal } from './support/terminal.js';
import { runTrove, spawnTrove } from './support/trove.js';

const test = suite('reading and searching');
const escapeCharacter = '\u001b]0;owned\u0007\u009b31m';

test('search sends its options and shows position, score, title and text', async () => {
  await using home = await temporaryHome();
  const results = [
    hitOf(),
    hitOf({ source: 'db://shop/orders', locator: { id: 7 }, score: null, content: 'one' }),
  ];
  await using api = await startApi({ 'GET /v1/search': () => ({ results }) });
  const options = ['--mode', 'keyword', '-k', '3', '--offset', '2', '--collapse', '--kind', 'body'];
  const { code, stdout } = await runTrove(
    [
      'search',
      'token rotation',
      'sub',
      ...options,
      '--filter',
      'a = 1',
      '--endpoint',
      api.endpoint,
    ],
    { home: home.path },
  );
  assert.is(code, 0);
  assert.equal(api.received[0]?.query, {
    q: 'token rotation',
    path: join(home.path, 'sub'),
    mode: 'keyword',
    top_k: '3',
    offset: '2',
    collapse: 'true',
    kind: 'body',
    filter: 'a = 1',
  });
  assert.is(
    stdout,
    '/data/notes/a.md:4-5  0.83  Operations\n    Tokens are rotated\n    every night.\n\n' +
      'db://shop/orders:{"id":7}  Operations\n    one\n',
  );
});

test('search succeeds without hits, and --json then prints nothing', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({
    'GET /v1/search': () => ({ results: [] }),
    'GET /v1/status': () => ({ connectors: [] }),
    'GET /v1/connectors/inspect': () => ({ root_uri: 'db://x' }),
  });
  const args = ['search', 'x', '--endpoint', api.endpoint];
  const { code, stdout, stderr } = await runTrove(args, { home: home.path });
  assert.equal([code, stdout], [0, '']);
  assert.match(stderr, 'Nothing found. `trove status`');
  const below = await runTrove([...args, './my notes'], { home: home.path });
  assert.match(below.stderr, "Nothing found. `trove explain './my notes'` tells if it is indexed");
  const json = await runTrove(['--json', ...args], { home: home.path });
  assert.is(json.stdout, '');
});

test('search without hits prints the rule that leaves the path out', async () => {
  await using home = await temporaryHome();
  const reason = 'file://local/a/drafts: drafts is ignored by "drafts/" (.gitignore)';
  await using api = await startApi({
    'GET /v1/search': () => ({ results: [], reason }),
    'GET /v1/status': () => ({ connectors: [] }),
    'GET /v1/connectors/inspect': () => ({ root_uri: 'file://local/a' }),
  });
  const args = ['search', 'x', '/a/drafts', '--endpoint', api.endpoint];
  const { stderr } = await runTrove(args, { home: home.path });
  assert.is(stderr, 'Nothing found. /a/drafts: drafts is ignored by "drafts/" (.gitignore)\n');
});

test('search reports corrected typing errors', async () => {
  await using home = await temporaryHome();
  const metadata = {
    showing_results_for: 'token rotation',
    corrections: [{ word: 'toekn', replacements: ['token'] }],
  };
  await using api = await startApi({ 'GET /v1/search': () => ({ results: [hitOf()], metadata }) });
  const args = ['search', 'toekn rotation', '--endpoint', api.endpoint];
  const { stdout, stderr } = await runTrove(args, { home: home.path });
  assert.match(stderr, 'showing results for token rotation');
  assert.not.match(stdout, 'showing results');
});

test('search highlights words, numbers hits and suggests open on a terminal', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({ 'GET /v1/search': () => ({ results: [hitOf()] }) });
  const args = ['search', 'token', '--endpoint', api.endpoint];
  const place = { cwd: '/data', env: { TROVE_HOME: home.path } };
  const colored = await runOnTerminal(args, place);
  assert.ok(colored.stdout.includes('\u001b[33mTokens\u001b[39m are rotated'));
  assert.match(colored.stderr, 'trove open 1');
  assert.match(colored.stdout, /^\u001b\[2m 1\u001b/);
  const plain = await runOnTerminal(args, { ...place, env: { ...place.env, NO_COLOR: '1' } });
  assert.not(plain.stdout.includes('\u001b'));
});

test('shows paths below the working directory as relative for local servers', async () => {
  await using home = await temporaryHome();
  await mkdir(join(home.path, 'sub'));
  const source = `file://local${home.path}/sub/a.md`;
  await using api = await startApi({
    'GET /v1/grep': () => ({
      results: [{ source, locator: { lines: [1, 1] }, content: 'x', via: 'linear' }],
      truncated: false,
    }),
  });
  const at = async (cwd: string) =>
    (await runTrove(['grep', 'x', '--endpoint', api.endpoint], { home: home.path, cwd })).stdout;
  assert.is(await at(home.path), 'sub/a.md:1:x\n');
  assert.is(await at(join(home.path, 'sub')), 'a.md:1:x\n');
  assert.is(await at('/'), `${home.path.slice(1)}/sub/a.md:1:x\n`);
});

test('ls lists a folder, and without a path the sources', async () => {
  await using home = await temporaryHome();
  const entries = [
    entryOf({
      name: 'docs',
      type: 'dir',
      size_hint: null,
      path: 'file://local/d/docs',
      real_id: '1:2',
    }),
    entryOf({
      name: 'big.bin',
      size_hint: 80_000_000,
      search_status: 'not_indexed',
      reason: 'too large',
    }),
  ];
  await using api = await startApi({
    'GET /v1/ls': () => ({ entries, capabilities }),
    'GET /v1/status': () => ({
      connectors: [{ root_uri: 'file://local/data/notes' }, { root_uri: 'slack://acme' }],
      jobs: {},
      embedding: { name: 'lexical/v2/512', switch: null },
      disk: {},
    }),
  });
  const endpoint = ['--endpoint', api.endpoint];
  assert.is(
    (await runTrove(['ls', '.', ...endpoint], { home: home.path })).stdout,
    'docs/\nbig.bin\n',
  );
  assert.equal(api.received[0]?.query, { path: home.path });
  assert.is(
    (await runTrove(['ls', ...endpoint], { home: home.path })).stdout,
    '/data/notes\nslack://acme\n',
  );
  const terminal = await runOnTerminal(['ls', '.', ...endpoint], {
    cwd: home.path,
    env: { TROVE_HOME: home.path, NO_COLOR: '1' },
  });
  const long = '          docs/\n 80.0 MB  big.bin  not_indexed: too large\n';
  assert.is(terminal.stdout, long);
  const piped = await runTrove(['ls', '-l', '.', ...endpoint], { home: home.path });
  assert.is(piped.stdout, long);
});

/** A folder that contains only itself through a link, under ever longer paths. */
function loopingLs({ query }: Received) {
  const path = `${query['path']}/again`;
  return {
    entries: [
      entryOf({ name: 'again', type: 'dir', path, real_id: '1:1' }),
      entryOf({ name: 'f', path: `${query['path']}/f` }),
    ],
    capabilities,
  };
}

test('tree opens folders to a depth and stops at loops of links', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({ 'GET /v1/ls': loopingLs });
  const args = ['tree', 'x://r', '--endpoint', api.endpoint];
  const { stdout } = await runTrove([...args, '-L', '50'], { home: home.path });
  assert.is(stdout, 'x://r\n├── again/\n│   ├── again/  (loop)\n│   └── f\n└── f\n');
  const shallow = await runTrove([...args, '--depth', '1'], { home: home.path });
  assert.is(shallow.stdout, 'x://r\n├── again/\n└── f\n');
  const json = await runTrove([...args, '-L', '50', '--json'], { home: home.path });
  const parsed = JSON.parse(json.stdout);
  assert.is(parsed.path, 'x://r');
  assert.is(parsed.entries[0].entries[0].loop, true);
  assert.is(parsed.entries[0].entries[1].name, 'f');
});

test('tree shows why entries are left out and keeps such folders closed', async () => {
  await using home = await temporaryHome();
  const left = { indexable: false, search_status: null, reason: 'ignored by "dist/"' };
  const entries = [
    entryOf({ name: 'dist', type: 'dir', path: 'x://r/dist', ...left }),
    entryOf({ name: '.env', ...left, search_status: 'not_indexed', reason: 'secrets' }),
    entryOf({ name: 'a.png', search_status: 'not_indexed', reason: 'not a text' }),
    entryOf({ name: 'new.md', search_status: 'not_indexed' }),
  ];
  await using api = await startApi({ 'GET /v1/ls': () => ({ entries, capabilities }) });
  const { stdout } = await runTrove(['tree', 'x://r', '--endpoint', api.endpoint], {
    home: home.path,
  });
  assert.is(
    stdout,
    [
      'x://r',
      '├── dist/  not_indexed: ignored by "dist/"',
      '├── .env  not_indexed: secrets',
      '├── a.png  not_indexed: not a text',
      '└── new.md\n',
    ].join('\n'),
  );
  assert.is(api.received.length, 1);
  const json = await runTrove(['tree', 'x://r', '--json', '--endpoint', api.endpoint], {
    home: home.path,
  });
  assert.is(JSON.parse(json.stdout).entries[0].reason, 'ignored by "dist/"');
});

test('cat, head and tail print unchanged text and send their options', async () => {
  await using home = await temporaryHome();
  const answer = {
    source: 'file://local/d/a',
    content: `no line break${escapeCharacter}`,
    partial: false,
  };
  await using api = await startApi({
    'GET /v1/cat': () => answer,
    'GET /v1/head': () => answer,
    'GET /v1/tail': () => ({ ...answer, partial: true }),
  });
  const run = async (...args: string[]) =>
    runTrove([...args, '--endpoint', api.endpoint], { home: home.path });
  const locator = '{"lines":[1,2]}';
  assert.is(
    (await run('cat', 'a', '-r', '1:2', '--locator', locator, '--density', 'deep')).stdout,
    answer.content,
  );
  assert.equal(api.received[0]?.query, {
    path: join(home.path, 'a'),
    range: '1:2',
    locator,
    density: 'deep',
  });
  assert.is((await run('head', 'a', '-n', '5')).stdout, answer.content);
  assert.equal(api.received[1]?.query, { path: join(home.path, 'a'), n: '5' });
  assert.match((await run('tail', 'a')).stderr, 'only part of the text');
  assert.equal(api.received[2]?.query, { path: join(home.path, 'a') });
});

test('cat accepts positions of hits unless an object has that name', async () => {
  await using home = await temporaryHome();
  const there = new Set([join(home.path, 'a.md'), 'db://mails/inbox:7', 'db://shop/orders']);
  await using api = await startApi({
    'GET /v1/cat': ({ query: { path = '', range, locator } }) =>
      there.has(path)
        ? { source: path, content: range ?? locator ?? 'all of it', partial: false }
        : fail(404, 'not_found', `There is nothing at ${path}`),
  });
  const cat = (...args: readonly string[]) =>
    runTrove(['cat', ...args, '--endpoint', api.endpoint], { home: home.path });
  assert.is((await cat('a.md:4-9')).stdout.trim(), '4:9');
  assert.is((await cat('a.md:4')).stdout.trim(), '4:4');
  assert.is((await cat('db://mails/inbox:7')).stdout.trim(), 'all of it');
  assert.is((await cat('db://shop/orders:{"id":"a:1"}')).stdout.trim(), '{"id":"a:1"}');
  assert.match((await cat('b.md:4')).stderr, `There is nothing at ${join(home.path, 'b.md')}\n`);
  assert.match((await cat('a.md:4', '--range', '1:2')).stderr, 'There is nothing at');
});

test('ends the last line of an outline in a pipe, too', async () => {
  await using home = await temporaryHome();
  const answer = { source: 'file://local/d/a', content: '# One\n# Two', partial: false };
  await using api = await startApi({ 'GET /v1/cat': () => answer });
  for (const density of ['peek', 'skim']) {
    const args = ['cat', 'a', '--density', density, '--endpoint', api.endpoint];
    assert.is((await runTrove(args, { home: home.path })).stdout, '# One\n# Two\n');
  }
});

test('cat reports that an object has no such lines', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({
    'GET /v1/cat': ({ query }) => {
      if (query['range'] === undefined) return fail(404, 'not_found', 'nothing there');
      const content = query['range'] === '50:60' ? '' : 'one\n';
      return { source: 'file://local/d/a%20b', content, partial: false };
    },
  });
  const cat = (range: string) =>
    runTrove(['cat', 'a', '--range', range, '--endpoint', api.endpoint], { home: home.path });
  const beyond = await cat('50:60');
  assert.is(beyond.code, 0);
  assert.is(beyond.stdout, '');
  assert.is(beyond.stderr, 'note: /d/a b has no lines 50:60\n');
  assert.is((await cat('1:60')).stderr, '');
  const place = await runTrove(['cat', 'a:50-60', '--endpoint', api.endpoint], { home: home.path });
  assert.is(place.stderr, beyond.stderr);
});

test('cat --meta prints metadata', async () => {
  await using home = await temporaryHome();
  const meta = {
    source: 'file://local/d/a',
    media_type: 'text/plain',
    size_hint: 1500,
    fingerprint: 'f1',
    content: '',
  };
  await using api = await startApi({ 'GET /v1/cat': () => meta });
  const { stdout } = await runTrove(['cat', 'a', '--meta', '--endpoint', api.endpoint], {
    home: home.path,
  });
  assert.is(api.received[0]?.query['meta'], 'true');
  assert.match(stdout, /source +\/d\/a\n/);
  assert.match(stdout, /media type +text\/plain/);
  assert.match(stdout, /size +1\.5 kB/);
});

test('makes control characters of all texts harmless on a terminal', async () => {
  await using home = await temporaryHome();
  const hostile = `x${escapeCharacter}\r\u202ey`;
  await using api = await startApi({
    'GET /v1/cat': () => ({ source: 's', content: hostile, partial: false }),
    'GET /v1/export': () => ({ source: 's', content: hostile, partial: false }),
    'GET /v1/ls': () => ({ entries: [entryOf({ name: `${hostile}\n` })], capabilities }),
    'GET /v1/search': () => ({ results: [hitOf({ content: hostile, source: `a://${hostile}` })] }),
    'GET /v1/grep': () => ({
      results: [
        matchOf({
          source: `a://${hostile}`,
          locator: { k: hostile },
          content: hostile,
          match: null,
        }),
      ],
      truncated: false,
      next: null,
    }),
    'GET /v1/status': () => fail(500, 'internal_error', hostile, [hostile]),
  });
  const place = { cwd: home.path, env: { TROVE_HOME: home.path, NO_COLOR: '1' } };
  for (const args of [
    ['cat', 'a'],
    ['export', 'a'],
    ['ls', 'a'],
    ['tree', 'a', '-L', '1'],
    ['search', 'x'],
    ['grep', 'x'],
    ['status'],
    ['cat', 'a', '--json'],
    ['status', '--json'],
  ]) {
    const { stdout, stderr } = await runOnTerminal([...args, '--endpoint', api.endpoint], place);
    const text = stdout + stderr;
    assert.ok(text.length > 5, args.join(' '));
    assert.not(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/.test(text),
      `${args.join(' ')}: ${JSON.stringify(text)}`,
    );
  }
});

test('export streams to stdout, or replaces a file when all data has arrived', async () => {
  await using home = await temporaryHome();
  const content = 'line of text ü\n'.repeat(200_000);
  await using api = await startApi({
    'GET /v1/export': ({ query }) =>
      query['path'] === 'x://gone'
        ? fail(404, 'not_found', 'gone')
        : { source: 's', partial: false, content },
  });
  const endpoint = ['--endpoint', api.endpoint];
  assert.ok(
    (await runTrove(['export', 'x://a', ...endpoint], { home: home.path })).stdout === content,
  );
  const file = join(home.path, 'out.txt');
  await writeFile(file, 'before');
  const gone = await runTrove(['export', 'x://gone', '-o', file, ...endpoint], { home: home.path });
  assert.is(gone.code, 1);
  assert.is(await readFile(file, 'utf8'), 'before');
  await runTrove(['export', 'x://a', '-o', 'out.txt', ...endpoint], { home: home.path });
  assert.ok((await readFile(file, 'utf8')) === content);
  assert.equal(await readdir(home.path), ['out.txt']);
  const json = await runTrove(['export', 'x://a', '--json', ...endpoint], { home: home.path });
  assert.ok(JSON.parse(json.stdout).content === content);
  const nowhere = await runTrove(['export', 'x://a', '-o', 'no/such', ...endpoint], {
    home: home.path,
  });
  assert.is(nowhere.code, 1);
  assert.match(nowhere.stderr, /cannot write .*no\/such \(ENOENT\)/);
});

test('exits silently when its reader closes the pipe', async () => {
  await using home = await temporaryHome();
  const result = matchOf({ content: 'x'.repeat(500), match: null });
  const results = Array.from({ length: 5000 }, () => result);
  await using api = await startApi({
    'GET /v1/grep': () => ({ results, truncated: false, next: null }),
  });
  const child = spawnTrove(['grep', 'x', '--endpoint', api.endpoint], { home: home.path });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout?.once('data', () => child.stdout?.destroy());
  const [code] = await once(child, 'close');
  assert.is(code, 0);
  assert.is(stderr, '');
});

test.run();
