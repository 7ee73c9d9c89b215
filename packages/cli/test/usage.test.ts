import { closeSync, existsSync, openSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { testUnless } from '@trove/test-support/skips.js';
import { listCommands } from '@trove/commands/pages';
import { program } from '../src/program.js';
import { temporaryHome } from './support/home.js';
import { runTrove } from './support/trove.js';

const test = suite('the command line');

test('has all commands, each with a description and an example', async () => {
  const commands = await listCommands(program.root);
  const names = commands.map(({ path }) => path.join(' '));
  for (const name of [
    'add',
    'search',
    'ask',
    'grep',
    'ls',
    'cat',
    'job show',
    'token create',
    'serve start',
  ]) {
    assert.ok(names.includes(`trove ${name}`), name);
  }
  for (const { path, command } of commands) {
    assert.ok(command.description !== '', path.join(' '));
    const name = command.aliasOf ?? path.join(' ');
    assert.ok(
      command.examples.every((item) => item.command.includes(name)),
      name,
    );
    assert.ok(command.examples.length > 0, path.join(' '));
  }
});

test('shows help for every command and group without a server', async () => {
  await using home = await temporaryHome();
  for (const path of [[], ['job'], ['serve'], ['search'], ['job', 'show']]) {
    const { code, stdout, stderr } = await runTrove([...path, '--help'], { home: home.path });
    assert.is(code, 0);
    assert.is(stderr, '');
    assert.match(stdout, ['trove', ...path].join(' '));
  }
  for (const path of [[], ['job'], ['job', 'show']]) {
    const asked = await runTrove(['help', ...path], { home: home.path });
    assert.equal(asked, await runTrove([...path, '--help'], { home: home.path }));
  }
  const { stdout } = await runTrove(['search', '-h'], { home: home.path });
  assert.match(stdout, '-k, --top-k N');
  assert.match(stdout, '--endpoint URL');
  assert.match(stdout, 'trove search "how are tokens rotated"');
});

test('prints its version', async () => {
  await using home = await temporaryHome();
  const { code, stdout } = await runTrove(['--version'], { home: home.path });
  assert.is(code, 0);
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
});

test('exits with 2 for invalid command lines, with a reason and a suggestion', async () => {
  await using home = await temporaryHome();
  const cases: [string[], RegExp, RegExp][] = [
    [['serch'], /unknown command "serch"/, /trove search/],
    [['index', '.'], /unknown command "index"/, /trove add/],
    [['setup'], /unknown command "setup"/, /trove-server setup/],
    [['job', 'lst'], /unknown command "job lst"/, /trove job list/],
    [['job'], /a command is missing/, /trove job --help/],
    [['cat'], /PATH is missing/, /trove cat --help/],
    [['cat', ' '], /PATH must not be blank/, /trove cat --help/],
    [['search', 'two', 'words', 'more'], /unexpected argument "more"/, /Quote/],
    [['search', 'x', '--top_k', '3'], /unknown option --top_k/, /--top-k/],
    [['ask'], /QUESTION is missing/, /trove ask --help/],
    [
      ['ask', 'x', '-k', 'many'],
      /-k must be a whole number|--max-passages must be a whole/,
      /help/,
    ],
    [['grep', '-foo'], /unknown option -f/, /"--"/],
    [['grep', '--include', '*.ts', 'x'], /unknown option --include/, /Write -g 'GLOB'/],
    [['grep', '--pcre2', 'x'], /unknown option --pcre2/, /Write -E/],
    [['search', 'x', '--top-k', 'many'], /--top-k must be a whole number/, /help/],
    [['search', 'x', '-k', '-1'], /-k has no value/, /-XYZ/],
    [['search', 'x', '--top-k', '-1'], /--top-k has no value/, /--top-k=-XYZ/],
    [['search', 'x', '--mode', 'fuzzy'], /--mode must be one of hybrid, semantic, keyword/, /help/],
    [['tail', 'a', '-n'], /-n has no value/, /-n N/],
    [['search', 'x', '-n', '2'], /unknown option -n/, /Did you mean --top-k\?/],
    [['search', 'x', '--limit', '2'], /unknown option --limit/, /Did you mean --top-k\?/],
    [['grep', 'x', '--number', '2'], /unknown option --number/, /Did you mean --limit\?/],
    [['search', 'x', '--path', 'a'], /unknown option --path/, /Write PATH alone, without --path/],
    [['cat', 'a', '--offset', '3'], /unknown option --offset/, /"--"/],
    [['status', '--json=yes'], /does not take an argument/, /help/],
    [['cat', 'a', '--locator', '{lines}'], /--locator must be JSON/, /Quote it/],
    [['add', '.', '--config', 'no.toml'], /cannot read .*no\.toml \(ENOENT\)/, /help/],
    [['status', '--endpoint', 'localhost'], /"localhost" is not an endpoint/, /http:/],
    [['status', '--profile', 'work'], /no profile "work"/, /help/],
    [['serve', 'start', '--bind', '9000'], /"9000" is not an address/, /HOST:PORT/],
    [['serve', 'start', '--bind', '127.0.0.1:6000'], /clients reject this port/, /13619/],
    [['serve', 'start', '--bind', '127.0.0.1:0'], /not an address to listen on/, /HOST:PORT/],
    [['serve', 'start', '--endpoint', 'https://far.example'], /not on this machine/, /--bind/],
  ];
  for (const [args, reason, way] of cases) {
    const { code, stdout, stderr } = await runTrove(args, { home: home.path });
    assert.is(code, 2, args.join(' '));
    assert.is(stdout, '', args.join(' '));
    assert.match(stderr, reason);
    assert.match(stderr, way);
  }
});

testUnless(existsSync('/dev/full') ? null : 'there is no /dev/full to stand for a full disk', test)(
  'output that cannot be written is an error',
  async () => {
    await using home = await temporaryHome();
    const full = openSync('/dev/full', 'w');
    try {
      const { code, stderr } = await runTrove(['--help'], { home: home.path, stdout: full });
      assert.match(stderr, /^error: cannot write the output \(ENOSPC\)\nhint: /);
      assert.is(code, 1);
    } finally {
      closeSync(full);
    }
  },
);

test('explains how to reach a server that does not answer, also as JSON', async () => {
  await using home = await temporaryHome();
  const nobody = ['--endpoint', 'http://127.0.0.1:9'];
  const plain = await runTrove(['status', ...nobody], { home: home.path });
  assert.is(plain.code, 1);
  assert.match(plain.stderr, /^error: no answer from http:\/\/127\.0\.0\.1:9 /);
  assert.match(plain.stderr, 'hint: Start the server: trove serve start');
  const json = await runTrove(['--json', ...nobody, 'status'], { home: home.path });
  assert.is(json.code, 1);
  assert.is(json.stdout, '');
  const envelope = JSON.parse(json.stderr);
  assert.is(envelope.code, 'connection_failed');
  assert.ok(envelope.suggestions.length > 0);
  assert.is(typeof envelope.detail, 'string');
});

test.run();
