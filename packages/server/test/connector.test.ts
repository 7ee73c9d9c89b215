// test-timeout: 300
import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { waitUntil } from '@trove/test-support/waiting.js';
import { testUnless } from '@trove/test-support/skips.js';
import { Command, type Finished } from './support/command.js';
import { hasTerminal, keys, Terminal } from './support/terminal.js';

/* A wiki that requires a password, added with options and with answers to questions. */

const test = suite('trove-server connector');
let root: string;
let home: string;

test.before.each(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'trove-connector-')));
  home = join(root, 'home');
  const folder = join(home, 'node_modules', 'trove-connector-wiki');
  await mkdir(folder, { recursive: true });
  const address = { match: '^https://wiki\\.example/(\\w+)$', example: 'https://wiki.example/w' };
  const source = {
    schemes: ['wiki'],
    name: 'Team wiki',
    content: 'pages',
    incremental: 'all pages',
    deletions: 'each sync',
    grep: 'reads the pages',
    rights: 'a token',
    tested: 'nothing',
    addresses: [{ ...address, target: 'wiki://$1' }],
  };
  const manifest = {
    name: 'trove-connector-wiki',
    type: 'module',
    exports: './index.js',
    trove: { sources: [source] },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'index.js'), wiki);
});
test.after.each(() => rm(root, { recursive: true, force: true }));

const wiki = `
export default {
  kind: 'connector',
  apiVersion: 1,
  keys: ['wiki'],
  configSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['token'],
    properties: {
      token: { type: 'string', writeOnly: true, description: 'What the wiki asks for.' },
      depth: { type: 'integer', minimum: 1, default: 3, description: 'How deep links are followed.' },
      drafts: { type: 'boolean', description: 'Whether drafts are read.' },
      spaces: { type: 'array', items: { type: 'string' }, description: 'Only these spaces.' },
      login: { type: 'object', properties: { user: { type: 'string' } } },
    },
  },
  create: ({ config }) => ({
    check: async () => config.token === 'open sesame'
      ? { ok: true, detail: 'reachable with ' + JSON.stringify(config) }
      : { ok: false, detail: 'The wiki refuses the token' },
    async *list() {
      for (const path of ['Home', 'Team/Ann']) yield { path, size: 5, modifiedAt: null, fingerprint: '1' };
    },
    read: async () => ({ bytes: Buffer.from('hello') }),
  }),
};
`;

const environment = (env: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  HOME: root,
  TROVE_HOME: home,
  ...env,
});

function run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Finished> {
  return new Command(['connector', ...args], { cwd: root, env: environment(env) }).finished;
}

const word = { WIKI_TOKEN: 'open sesame' };
const reference = ['--set', 'token=env:WIKI_TOKEN'];

test('options add a source without a terminal, and the next server indexes it', async () => {
  const sets = ['depth=5', 'drafts=true', 'spaces=a, b', 'login.user=ann'].flatMap((set) => [
    '--set',
    set,
  ]);
  const { code, stdout, stderr } = await run(['add', 'wiki://w', ...reference, ...sets], word);
  assert.is(code, 0, stderr);
  const config = {
    token: '***',
    depth: 5,
    drafts: true,
    spaces: ['a', 'b'],
    login: { user: 'ann' },
  };
  assert.match(stdout, `wiki://w: reachable with ${JSON.stringify(config)}`);
  assert.match(stdout, '2 objects, about 2 chunks');
  assert.match(stdout, 'Contents: Home, Team/');
  const listed = JSON.parse((await run(['list', '--json'])).stdout);
  assert.equal(
    listed.map((row: { root_uri: string }) => row.root_uri),
    ['wiki://w'],
  );

  const server = new Command(['run', '--bind', '127.0.0.1:0'], {
    cwd: root,
    env: environment({ ...word, TROVE_API_TOKEN: 'known' }),
  });
  try {
    const url = await server.url();
    const count = async (): Promise<number> => {
      const headers = { authorization: 'Bearer known' };
      const answer = await fetch(`${url}/v1/search?q=hello`, { headers });
      const { results } = (await answer.json()) as { results: unknown[] };
      return results.length;
    };
    await waitUntil(async () => (await count()) > 0, 'it is indexed');
  } finally {
    await server.stop();
  }
});

test('mistakes are reported before anything is registered', async () => {
  const cases: readonly (readonly [string[], Record<string, string>, number, string])[] = [
    [['add'], {}, 2, 'Run trove-server connector add TARGET.'],
    [['add', 'wiki://w'], {}, 2, 'config.token: is required\n  Set options with --set'],
    [['add', 'wiki://w', ...reference], {}, 1, 'WIKI_TOKEN is not set'],
    [['add', 'wiki://w', ...reference], { WIKI_TOKEN: 'x' }, 1, 'The wiki refuses the token'],
    [['add', 'wiki://w', ...reference, '--set', 'dept=1'], word, 2, 'Did you mean `depth`?'],
    [['add', 'wiki://w', ...reference, '--set', 'depth'], word, 2, '--set NAME=VALUE'],
    [['add', 'wiki://w', '--from', 'none.toml'], word, 2, 'none.toml cannot be read'],
    [['add', 'wiki://w', '--from', 'none.toml'], word, 2, 'Check that the file is readable'],
    [['add', 'nope://w'], {}, 1, 'No connector for `nope` is installed'],
    [['add', 'wiki://w', '--sett', 'a=b'], {}, 2, 'unknown option --sett\n  Did you mean --set?'],
  ];
  for (const [args, env, code, words] of cases) {
    const ended = await run(args, env);
    assert.is(ended.code, code, ended.stderr);
    assert.ok(ended.stderr.includes(words), `${words}\n${ended.stderr}`);
  }
  assert.match((await run(['list'])).stdout, 'No sources.');
});

test('the configuration is saved to a file with a backup', async () => {
  const file = join(root, 'wiki.toml');
  await writeFile(file, 'depth = 1\n');
  const first = await run(['add', 'wiki://w', '--from', file, ...reference, '--save', file], word);
  assert.is(first.code, 0, first.stderr);
  assert.is(await readFile(file, 'utf8'), 'depth = 1\ntoken = "env:WIKI_TOKEN"\n');
  assert.is(await readFile(`${file}.bak`, 'utf8'), 'depth = 1\n');
  assert.is((await stat(file)).mode & 0o777, 0o600);
  const again = await run(['add', 'wiki://w', '--from', file, '--set', 'depth=2'], word);
  assert.is(again.code, 1);
  assert.match(again.stderr, 'wiki://w is already registered');
});

test('top-level entries can be excluded', async () => {
  const file = join(root, 'wiki.toml');
  await writeFile(file, '[[objects]]\nmatch = "Home"\npriority = 1\n');
  const args = ['add', 'wiki://w', '--from', file, ...reference, '--save', file];
  const wrong = await run([...args, '--exclude', 'Teams'], word);
  assert.is(wrong.code, 2, wrong.stderr);
  assert.match(wrong.stderr, 'has no top-level entry Teams\n  Use one of Home, Team.');
  const { code, stdout, stderr } = await run([...args, '--exclude', 'Team'], word);
  assert.is(code, 0, stderr);
  assert.match(stdout, 'Not indexed: Team');
  assert.match(
    await readFile(file, 'utf8'),
    /match = "\/Team"\nindexable = false\n\n\[\[objects\]\]\nmatch = "Home"/,
  );
});

testUnless(hasTerminal ? null : '`script`, which makes a terminal, is not installed', test)(
  'on a terminal it asks for what is missing, tries it, and asks again',
  async () => {
    const terminal = new Terminal(['connector', 'add'], root, environment(word));
    try {
      await terminal.answer('Kind of source', 'https://wiki.example/w', keys.enter);
      await terminal.answer('Team wiki (wiki://w)', keys.enter);
      await terminal.answer('Which other settings', keys.space, keys.enter);
      await terminal.answer('token: What the wiki asks for.', keys.enter);
      await terminal.answer('Name of the variable', 'no_such', keys.enter);
      await terminal.answer('no_such is not set in this environment');
      await terminal.answer('depth: How deep', '0', keys.enter);
      await terminal.answer(
        'The source cannot be used with these settings.',
        keys.down,
        keys.enter,
      );
      await terminal.answer('Which settings', keys.space, keys.enter);
      await terminal.answer('token: What the wiki asks for.', keys.enter);
      await terminal.answer('Name of the variable', 'WIKI_TOKEN', keys.enter);
      await terminal.answer('reachable with {"token":"***","depth":30}');
      await terminal.answer('Which parts should be indexed?', keys.space, keys.enter);
      await terminal.answer('Not indexed: Home');
      await terminal.answer('Register and index the source?', keys.enter);
      await terminal.answer('Registered wiki://w');
      assert.is(await terminal.exited, 0);
    } finally {
      terminal.kill();
    }
  },
);

test('shows the contents of a single folder', async () => {
  const notes = join(root, 'notes');
  await mkdir(join(notes, 'main', 'orders'), { recursive: true });
  for (const name of ['orders/a.md', 'b.md'])
    await writeFile(join(notes, 'main', name), 'A lantern');
  const { code, stdout, stderr } = await run(['add', notes]);
  assert.is(code, 0, stderr);
  assert.match(stdout, 'Contents: main/b.md, main/orders/\n');
});

test('cancelling changes nothing', async () => {
  if (!hasTerminal) return;
  const terminal = new Terminal(['connector', 'add', root], root, environment());
  try {
    await terminal.answer('Which settings', keys.enter);
    await terminal.answer('Register and index the source?', keys.interrupt);
    await terminal.answer('Nothing was changed.');
    assert.is(await terminal.exited, 1);
  } finally {
    terminal.kill();
  }
  assert.match((await run(['list'])).stdout, 'No sources.');
});

test.run();
