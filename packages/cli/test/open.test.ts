import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { editorCommand } from '../src/open/editor.js';
import { parsePosition } from '../src/paths/position.js';
import { startApi } from './support/api-server.js';
import { temporaryHome } from './support/home.js';
import { hitOf } from './support/samples.js';
import { runOnTerminal } from './support/terminal.js';
import { runTrove } from './support/trove.js';

const test = suite('opening hits');

test('parses positions as grep and search print them', () => {
  const read = (text: string) => {
    const { target, line, lastLine, column } = parsePosition(text, '/w');
    return lastLine === null ? [target, line, column] : [target, line, column, lastLine];
  };
  assert.equal(read('a.md'), ['/w/a.md', null, null]);
  assert.equal(read('a.md:12'), ['/w/a.md', 12, null]);
  assert.equal(read('a.md:12:5'), ['/w/a.md', 12, 5]);
  assert.equal(read('a.md:12:5:some: text'), ['/w/a.md', 12, 5]);
  assert.equal(read('a.md:12:some text: 3'), ['/w/a.md', 12, null]);
  assert.equal(read('a.md:12-20'), ['/w/a.md', 12, null, 20]);
  assert.equal(read('/x/a b.md:3'), ['/x/a b.md', 3, null]);
  assert.equal(read('db://shop/orders'), ['db://shop/orders', null, null]);
  assert.equal(read('db://shop/orders.md:7'), ['db://shop/orders.md', 7, null]);
});

test('passes the position to each editor in its own syntax', () => {
  const at = { line: 12, column: 5 };
  for (const [editor, words] of [
    ['vim', ['vim', '+call cursor(12,5)', '/f']],
    ['/usr/bin/nvim -p', ['/usr/bin/nvim', '-p', '+call cursor(12,5)', '/f']],
    ['vi', ['vi', '+12', '/f']],
    ['nano', ['nano', '+12,5', '/f']],
    ['emacsclient -t', ['emacsclient', '-t', '+12:5', '/f']],
    ['code --wait', ['code', '--wait', '--goto', '/f:12:5']],
    ['subl -w', ['subl', '-w', '/f:12:5']],
    ['hx', ['hx', '/f:12:5']],
    ['"/opt/my apps/kate" -b', ['/opt/my apps/kate', '-b', '--line', '12', '--column', '5', '/f']],
    ['ed', ['ed', '/f']],
  ] as const) {
    assert.equal(editorCommand(editor, '/f', at), words, editor);
  }
  assert.equal(editorCommand('code -w', '/f', { line: null, column: null }), ['code', '-w', '/f']);
});

test('opens a numbered hit at its best line in the configured editor', async () => {
  await using home = await temporaryHome();
  const file = join(home.path, 'notes', 'a b.md');
  await mkdir(join(home.path, 'notes'));
  await writeFile(file, 'one\n\ntwo\nTokens are rotated\nevery night\n');
  const source = `file://local${file.replace(' ', '%20')}`;
  const far = hitOf({ source: 'db://shop/orders', locator: { id: 7 }, content: 'one' });
  await using api = await startApi({
    'GET /v1/search': () => ({
      results: [
        hitOf({
          source,
          locator: { lines: [3, 5] },
          content: 'two\nTokens are rotated\nevery night',
        }),
        far,
      ],
    }),
    'GET /v1/export': () => ({
      source: 'db://shop/orders',
      content: 'of the shop',
      partial: false,
    }),
  });
  const env = { TROVE_HOME: home.path, TROVE_ENDPOINT: api.endpoint };
  const none = await runTrove(['open', '1'], { home: home.path, env });
  assert.is(none.code, 1);
  assert.match(none.stderr, 'there are no numbered hits');
  await runOnTerminal(['search', 'rotated tokens'], { cwd: home.path, env });

  const editor = join(home.path, 'vim');
  const said = join(home.path, 'said');
  await writeFile(
    editor,
    `#!/bin/sh\nfor last; do :; done\necho "$*" > ${said}\ncat "$last" >> ${said}\nexit 3\n`,
  );
  await chmod(editor, 0o755);
  const opened = await runTrove(['open', '1'], {
    home: home.path,
    env: { ...env, EDITOR: editor },
  });
  assert.is(opened.code, 3);
  assert.match(await readFile(said, 'utf8'), `+call cursor(4,1) ${file}\n`);
  const copy = await runTrove(['open', '2', '-e', editor], { home: home.path, env });
  assert.match(copy.stderr, 'note: this is a copy');
  assert.match(await readFile(said, 'utf8'), /trove-open-\w+\/orders\nof the shop$/);
  const third = await runTrove(['open', '3'], { home: home.path, env });
  assert.match(third.stderr, 'the last search had only 2 hits');
  const printed = await runTrove(['open', '-p', 'notes/a b.md:4'], { home: home.path, env });
  assert.is(printed.stdout, `${file}:4:1\n`);
  const missing = await runTrove(['open', '1', '-e', '/no/such/editor'], { home: home.path, env });
  assert.match(missing.stderr, /cannot start \/no\/such\/editor \(ENOENT\)/);
});

test('links paths and hits only on terminals that support links', async () => {
  await using home = await temporaryHome();
  let found = hitOf();
  await using api = await startApi({ 'GET /v1/search': () => ({ results: [found] }) });
  const args = ['search', 'token', '--endpoint', api.endpoint];
  const show = async (env: NodeJS.ProcessEnv) =>
    (await runOnTerminal(args, { cwd: '/data', env: { TROVE_HOME: home.path, ...env } })).stdout;
  for (const env of [
    { TERM_PROGRAM: 'vscode' },
    { VTE_VERSION: '7006' },
    { FORCE_HYPERLINK: '1' },
  ]) {
    assert.match(await show(env), /\u001b\]8;;file:\/\/[^/]*\/data\/notes\/a\.md\u001b\\/);
  }
  for (const env of [
    {},
    { TERM: 'dumb', VTE_VERSION: '7006' },
    { TERM: 'screen', VTE_VERSION: '7006' },
    { VTE_VERSION: '7006', FORCE_HYPERLINK: '0' },
  ]) {
    assert.not((await show(env)).includes('\u001b]8'));
  }
  const piped = await runTrove(args, { home: home.path, env: { FORCE_HYPERLINK: '1' } });
  assert.not(piped.stdout.includes('\u001b'));
  const { metadata } = found;
  found = hitOf({ metadata: { ...metadata, url: 'https://example.com/\u0007page' } });
  assert.match(await show({ FORCE_HYPERLINK: '1' }), '\u001b]8;;https://example.com/page\u001b\\');
});

test('search prints formats for editors, fzf and programs', async () => {
  await using home = await temporaryHome();
  const results = [
    hitOf(),
    hitOf({ source: 'db://t', locator: { id: 7 }, content: 'one\ntoken two' }),
  ];
  await using api = await startApi({ 'GET /v1/search': () => ({ results }) });
  const run = async (...args: string[]) =>
    (await runTrove(['search', 'token', ...args, '--endpoint', api.endpoint], { home: home.path }))
      .stdout;
  assert.is(
    await run('--vimgrep'),
    '/data/notes/a.md:4:1:Tokens are rotated\ndb://t:2:1:token two\n',
  );
  assert.is(await run('-l'), '/data/notes/a.md\ndb://t\n');
  results[0] = hitOf({ metadata: { ...hitOf().metadata, also: ['db://copy'] } });
  assert.is(await run('-l'), '/data/notes/a.md\ndb://copy\ndb://t\n');
  results[0] = hitOf({ content: `${'filler '.repeat(200)}token ${'end '.repeat(200)}` });
  const cut = await run();
  assert.match(cut, /…\w* filler .*filler token end .*…/);
  results[0] = hitOf();
  assert.is(await run('-l0'), '/data/notes/a.md\0db://t\0');
  const lines = (await run('--json'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(
    lines.map(({ path, line, source }) => [path, line, source]),
    [
      ['/data/notes/a.md', 4, 'file://local/data/notes/a.md'],
      ['db://t', null, 'db://t'],
    ],
  );
  await run('-g', '*.{md,txt}', '-g', 'a,b', '-t', 'md', '-T', 'ts');
  const { glob, type } = api.received.at(-1)?.query ?? {};
  assert.equal([glob, type], ['*.{md,txt},a\\,b', 'md,!ts']);
});

test.run();
