import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { withFetchTimeouts } from '@trove/test-support/fetch-timeouts.js';
import { browserCommands } from '../src/open/browser.js';
import { startApi } from './support/api-server.js';
import { temporaryHome } from './support/home.js';
import { place } from './support/place.js';
import { runOnTerminal } from './support/terminal.js';

const test = suite('graphs from the command line');
const nothingImported = {
  num_sources: 1,
  num_entities: 0,
  num_relations: 0,
  errors: [],
};

test('imports, queries, lists, replaces and deletes graphs', async () => {
  await using here = await place();
  const { ok, trove, notes } = here;
  await ok('serve', 'start');
  await writeFile(
    join(notes, 'ada.md'),
    '# Ada Lovelace\n\nAda Lovelace worked with Charles Babbage.\n',
  );
  await writeFile(
    join(notes, 'babbage.md'),
    '# Charles Babbage\n\nCharles Babbage designed the Analytical Engine.\n',
  );

  assert.match(await ok('graph', 'import', 'notes', '-g', 'people'), /^4 documents, 4 passages, /);
  const question = 'Which machine was designed by the colleague of Ada Lovelace?';
  const answer = await ok('graph', 'query', question, '-g', 'people');
  assert.match(answer, '“Ada Lovelace worked with Charles Babbage.” [1]');
  assert.match(answer, '“Charles Babbage designed the Analytical Engine.” [2]');
  assert.match(answer, /^\[1\] Ada Lovelace · notes\/ada\.md /m);
  assert.match(answer, /^ {2}Charles Babbage — designed the → Analytical Engine$/m);
  const peru = await ok('graph', 'query', 'What is the capital of Peru?', '-g', 'people');
  assert.is(peru, 'not found in this graph\n');

  assert.match(await ok('graph', 'list'), /^people +4 +\d+ +\d+$/m);
  assert.match(await ok('graph', 'stats', 'people'), /^passages +4$/m);
  assert.match(
    await ok('graph', 'neighbors', 'Charles Babbage', '-g', 'people'),
    'Ada Lovelace — worked with → Charles Babbage\n',
  );

  const lines = [
    { id: 'rice', text: 'Rice needs water.', triplets: [['Rice', 'needs', 'water']] },
    { id: 'soup', text: 'Soup needs a pot.' },
  ];
  const file = join(notes, 'documents.jsonl');
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  assert.match(await ok('graph', 'add', 'notes/documents.jsonl', '-g', 'people'), /^2 documents, /);
  assert.match(
    await ok('graph', 'query', 'What does rice need?', '-g', 'people'),
    '“Rice needs water.”',
  );
  assert.is(await ok('graph', 'query', question, '-g', 'people'), 'not found in this graph\n');

  await ok('graph', 'delete', 'people', '-y');
  const gone = await trove('graph', 'stats', 'people');
  assert.is(gone.code, 1);
  assert.match(gone.stderr, 'error: The graph people does not exist');
  assert.match(gone.stderr, 'hint: `trove graph list` lists the graphs');
});

test('finds graphs below a base path', async () => {
  await using here = await place({ TROVE_GRAPH_BASE_PATH: '/kg' });
  const { ok, trove, notes } = here;
  await ok('serve', 'start');
  assert.match(await ok('graph', 'import', 'notes', '-g', 'notes'), /^2 documents, /);
  await writeFile(join(notes, 'ada.jsonl'), '{"text": "Ada Lovelace worked with Babbage."}\n');
  assert.match(await ok('graph', 'add', 'notes/ada.jsonl', '-g', 'people'), ', 1 relation\n');
  assert.match(await ok('graph', 'list'), /^people +1 /m);
  assert.match(await ok('graph', 'query', 'Which soup?', '-g', 'notes'), 'Soup on Mondays');
  assert.match(await ok('graph', 'neighbors', 'Babbage', '-g', 'people'), 'Ada Lovelace');
  await ok('graph', 'delete', 'people', '-y');
  assert.match((await trove('graph', 'stats', 'people')).stderr, 'The graph people does not exist');
  assert.match(await ok('doctor'), 'answers at');
});

test('opens the graph page with a pass instead of the token', async () => {
  await using folder = await temporaryHome();
  const [browser, said] = ['browser', 'said'].map((name) => join(folder.path, name));
  await writeFile(`${browser}`, `#!/bin/sh\nprintf %s "$2" > '${said}'\nexit $1\n`, {
    mode: 0o755,
  });
  await using here = await place({ BROWSER: `'${browser}' 0 %s` });
  const { ok, trove, endpoint } = here;
  await ok('serve', 'start');
  await ok('graph', 'import', 'notes', '-g', 'notes');
  const ask = ['graph', 'query', 'Which soup is there on “Mondays”?', '-g', 'notes', '--open'];
  const { stdout, stderr } = await trove(...ask, '-k', '2', '--no-rerank');
  assert.match(stdout, 'Soup on Mondays');
  const opened = new URL(await readFile(`${said}`, 'utf8'));
  assert.is(opened.origin + opened.pathname + opened.search, `${endpoint}/`);
  const [page, fragment] = opened.hash.split('?');
  assert.is(page, '#/graphs');
  const { pass = '', ...asked } = Object.fromEntries(new URLSearchParams(fragment));
  assert.equal(asked, {
    graph: 'notes',
    question: 'Which soup is there on “Mondays”?',
    passage_top_k: '2',
    use_reranking: 'false',
  });
  const token = (await readFile(join(here.home, 'server.token'), 'utf8')).trim();
  assert.not.match(opened.href, token);
  assert.match(stderr, `Opened ${endpoint}/#/graphs?graph=notes&question=`);
  assert.not.match(stderr, 'pass=');
  const status = async (bearer: string) =>
    (await fetch(`${endpoint}/graphs`, { headers: { authorization: `Bearer ${bearer}` } })).status;
  assert.is(await status(pass), 200);
  assert.is(await status(pass.replace(/^pass\.\d/, 'pass.9')), 401);
  const none = await trove(...ask, '--json', '--endpoint', endpoint);
  assert.is(JSON.parse(none.stdout).retrieved_passages.length, 1);
});

test('prints the URL of the graph page without a browser', async () => {
  await using here = await place();
  const { ok, trove, endpoint } = here;
  await ok('serve', 'start');
  await ok('graph', 'import', 'notes');
  const { code, stderr } = await trove('graph', 'query', 'Which soup?', '--open');
  assert.is(code, 0);
  assert.is(stderr, `No browser is available. Open ${endpoint}/#/graphs?question=Which+soup%3F\n`);
});

test('uses the browser command of each system', () => {
  const url = 'http://127.0.0.1:1/graph#question=a&graph=b';
  const commands = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform) =>
    browserCommands(url, env, platform).map(([program, ...args]) => [program, args.includes(url)]);
  assert.equal(commands({}, 'darwin'), [['open', true]]);
  assert.equal(commands({}, 'win32'), [['rundll32.exe', true]]);
  assert.equal(commands({ DISPLAY: ':0' }, 'linux'), [['xdg-open', true]]);
  assert.equal(commands({ WAYLAND_DISPLAY: 'w' }, 'linux'), [['xdg-open', true]]);
  assert.equal(commands({ WSL_DISTRO_NAME: 'Debian' }, 'linux'), [
    ['wslview', true],
    ['rundll32.exe', true],
  ]);
  assert.equal(commands({}, 'linux'), []);
  assert.equal(browserCommands(url, { BROWSER: '"/opt/my browser" -n:w3m' }, 'linux'), [
    ['/opt/my browser', '-n', url],
  ]);
});

test('waits longer than Node’s fetch for a build and shows its progress', async () => {
  await using home = await temporaryHome();
  const asked = { build: 0 };
  await using api = await startApi({
    'GET /never': () => new Promise(() => undefined),
    'POST /import': async () => {
      const impatient: unknown = await fetch(`${api.endpoint}/never`).catch(() => 'gave up');
      assert.is(impatient, 'gave up');
      return { ...nothingImported, success: true, num_documents: 1, num_chunks: 3400 };
    },
    'GET /build': () => {
      asked.build++;
      return { graph_name: 'g', started_at: '', num_passages: 1200, total_passages: 3400 };
    },
  });
  const { code, stdout, stderr } = await withFetchTimeouts(() =>
    runOnTerminal(['graph', 'import', 'notes', '-g', 'g', '--endpoint', api.endpoint], {
      cwd: home.path,
      env: { TROVE_HOME: home.path },
    }),
  );
  assert.equal([code, stdout], [0, '1 document, 3,400 passages, 0 entities, 0 relations\n']);
  assert.ok(asked.build > 0);
  assert.match(stderr, 'Building a graph of 1 source … 1,200 of 3,400 passages, ');
});

test('explains builds and queries that fail', async () => {
  await using here = await place();
  const { ok, trove, notes } = here;
  await ok('serve', 'start');
  const missing = await trove('graph', 'import', 'nowhere');
  assert.is(missing.code, 1);
  assert.match(missing.stdout + missing.stderr, 'There is no file or folder at ');
  assert.is((await trove('graph', 'list')).stdout, '');

  await ok('graph', 'import', 'notes');
  const filtered = await trove('graph', 'query', 'soup', '--filter', 'foo =');
  assert.is(filtered.code, 1);
  assert.match(filtered.stderr, 'error: --filter: expected a value');
  await writeFile(join(notes, 'bad.jsonl'), '{"text": "whole"}\n{"text": \n');
  const bad = await trove('graph', 'add', 'notes/bad.jsonl');
  assert.ok(bad.code !== 0);
  assert.match(bad.stderr, 'error: line 2: must be a JSON object');
  assert.match(await ok('graph', 'query', 'Which soup is there on Mondays?'), 'Soup on Mondays');
});

test.run();
