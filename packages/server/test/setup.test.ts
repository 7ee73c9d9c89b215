// test-timeout: 300
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTrove } from 'trove';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listen } from '@trove/test-support/listen.js';
import { testUnless } from '@trove/test-support/skips.js';
import { SetupWizard } from '../src/wizard/setup-wizard.js';
import { Command, type Finished } from './support/command.js';
import { hasTerminal, keys, Terminal } from './support/terminal.js';

const test = suite('trove-server setup');
let root: string;
let home: string;
let file: string;

test.before.each(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'trove-setup-test-')));
  home = join(root, 'home');
  file = join(home, 'server.toml');
});
test.after.each(() => rm(root, { recursive: true, force: true }));

const environment = (env: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  HOME: root,
  TROVE_HOME: home,
  TMPDIR: root,
  ...env,
});

function run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Finished> {
  return new Command(['setup', ...args], { cwd: root, env: environment(env) }).finished;
}

test('options write settings and keep comments and a backup', async () => {
  await mkdir(home);
  const before = '# Ours.\n[server]\nbind = "127.0.0.1:0" # any port\n';
  await writeFile(file, before);
  const auth = ['--section', 'auth', 'open'];
  const timeout = ['--set', 'server.request_timeout_s=60'];
  const roots = '--set=server.allowed_roots=/srv/a, /srv/b';
  const { code, stdout, stderr } = await run([...auth, ...timeout, roots]);
  assert.is(code, 0, stderr);
  assert.match(stdout, 'auth_token: default → "-"');
  assert.match(stdout, 'server.request_timeout_s: default → 60');
  assert.is(
    await readFile(file, 'utf8'),
    '# Ours.\nauth_token = "-"\n[server]\nbind = "127.0.0.1:0" # any port\n' +
      'request_timeout_s = 60\nallowed_roots = [ "/srv/a", "/srv/b" ]\n',
  );
  assert.is(await readFile(`${file}.bak`, 'utf8'), before);
  assert.is((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await readdir(home)).sort(), ['server.toml', 'server.toml.bak']);
  // Node also stores its compile cache in the folder for temporary files.
  const left = (await readdir(root)).filter((name) => name.startsWith('trove-'));
  assert.equal(left, []);
  assert.match((await run(auth)).stdout, 'No changes.');

  const server = new Command(['run'], { cwd: root, env: environment() });
  try {
    assert.is((await fetch(`${await server.url()}/v1/status`)).status, 200);
  } finally {
    await server.stop();
  }
});

test('changes of plugin settings are reported without secrets', () => {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const settingUp = new SetupWizard({ prompts: null, home, roots: [], print });
  const after = { namespace: 'ours', plugin_config: { embedder: { voyage: { key: 'secret' } } } };
  assert.ok(settingUp.showChanges({}, after));
  assert.equal(lines, ['namespace: default → "ours"', '[plugin_config] changes']);
});

test('unusable answers are reported, and nothing is written', async () => {
  const openai = ['provider=openai', 'model=m', 'dimension=8', 'api_key=env:SOME_KEY'].flatMap(
    (set) => ['--set', `embedding.${set}`],
  );
  const dead = ['--set', 'embedding.base_url=http://127.0.0.1:9/v1'];
  const cases: readonly (readonly [string[], Record<string, string>, number, string])[] = [
    [[], {}, 2, 'nothing to set'],
    [['open'], {}, 2, 'unexpected argument "open"'],
    [['--section', 'oauth'], {}, 2, 'The section oauth does not exist'],
    [['--section', 'server'], {}, 2, 'nothing to set'],
    [['--set', 'server.bind=999'], {}, 2, 'must be an address and a port'],
    [['--section', 'oauth', '--set', 'namespace=x'], {}, 2, 'The section oauth does not exist'],
    [['--set', 'server.bnd=x'], {}, 2, 'did you mean `bind`?'],
    [['--set', 'server.request_timeout_s=soon'], {}, 2, 'must be integer'],
    [openai, {}, 1, 'SOME_KEY is not set'],
    [['--section', 'auth', 'env:SOME_KEY'], {}, 1, 'auth_token: the environment variable SOME_KEY'],
    [['--set', 'embedding.provider=openapi'], {}, 1, 'Did you mean `openai`?'],
    [[...openai, ...dead], { SOME_KEY: 'secret-of-ours' }, 1, 'cannot be reached'],
  ];
  for (const [args, env, code, words] of cases) {
    const ended = await run(args, env);
    assert.ok(ended.stderr.includes(words), `${words}\n${ended.stderr}`);
    assert.is(ended.code, code, ended.stderr);
    assert.not.match(ended.stderr + ended.stdout, 'secret-of-ours');
  }
  const exists = await stat(file).catch(() => null);
  assert.is(exists, null);
  const untried = await run(['--no-try', ...openai, ...dead], { SOME_KEY: 'secret-of-ours' });
  assert.is(untried.code, 0, untried.stderr);
  assert.match(untried.stdout, 'embedding.api_key: default → "env:SOME_KEY"');
});

test('tests a new embedder although an index exists', async () => {
  const notes = join(root, 'notes');
  await mkdir(notes);
  await writeFile(join(notes, 'a.md'), 'A lantern');
  const trove = await createTrove({ home });
  await trove.add({ target: notes, process: true });
  await trove.close();
  await using model = await listen((_, response) => {
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ data: [{ index: 0, embedding: [0.6, 0.8] }] }));
  });
  const embedding = (dimension: number) =>
    ['provider=openai', 'model=m', `dimension=${dimension}`, `base_url=${model.origin}/v1`]
      .map((set) => `--set=embedding.${set}`)
      .concat('--set=embedding.api_key=none');
  const refused = await run(embedding(8));
  assert.is(refused.code, 1, refused.stdout);
  assert.match(refused.stderr, 'returns vectors of 2 dimensions, not 8');
  const { code, stderr } = await run(embedding(2));
  assert.is(code, 0, stderr);
});

testUnless(hasTerminal ? null : '`script`, which makes a terminal, is not installed', test)(
  'on a terminal it asks, tries, and asks again',
  async () => {
    const terminal = new Terminal(['setup', '--section', 'auth,embedding'], root, environment());
    try {
      await terminal.answer('Who may call the server?', keys.down, keys.enter);
      await terminal.answer('The token', keys.down, keys.down, keys.enter);
      await terminal.answer('The secret', 'a-token-of-ours', keys.enter);
      await terminal.answer('[embedding] The embedder, which turns texts into vectors.');
      await terminal.answer('Which settings', keys.space, keys.enter);
      await terminal.answer('provider:', keys.up, keys.enter);
      await terminal.answer('These settings do not work.', keys.enter);
      await terminal.answer('Who may call the server?', keys.down, keys.enter);
      await terminal.answer('The token', keys.down, keys.down, keys.enter);
      await terminal.answer('The secret', 'a-token-of-ours', keys.enter);
      await terminal.answer('Which settings', keys.space, keys.enter);
      await terminal.answer('provider:', keys.down, keys.enter);
      await terminal.answer('auth_token: default → ***');
      await terminal.answer(`Write ${file}?`, keys.enter);
      await terminal.answer(`Wrote ${file}`);
      assert.is(await terminal.exited, 0);
    } finally {
      terminal.kill();
    }
    assert.not.match(terminal.shown, 'a-token-of-ours');
    const written = await readFile(file, 'utf8');
    assert.match(written, 'auth_token = "a-token-of-ours"');
  },
);

test.run();
