// test-timeout: 300
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { codeBlocks, shellCommands } from '../lib/documented-commands.mjs';
import { freePort } from '../lib/server.mjs';
import { root } from '../lib/workspaces.mjs';

const PAGES = [
  'README.md',
  'docs/tutorials/first-search.md',
  'docs/how-to/choose-what-is-indexed.md',
  'packages/cli/README.md',
];
/** Commands that are not run here, with the reason. */
const NOT_RUN = [
  [/^npm run quickstart/, 'installs and builds in the clone itself'],
  [/^npm test$/, 'is what runs this test'],
  [/^npm install --global/, 'needs a registry'],
];
const NOTES = {
  'notes/backup.md': `# Backups\n\n${'How to restore a backup with restic.\n\n'.repeat(20)}TODO test it\n`,
  'notes/ops.md': '# Operations\n\nTokens are rotated every night.\n\nAn invoice a month.\n',
  'archive/old.txt': 'an old text\n',
};
const PROJECT = {
  'docs/guide.md': `# Guide\n\n${'The retry policy waits longer each time.\n\n'.repeat(15)}`,
  'src/main.ts': 'export function main(): void {\n  fetchAll("--help"); // TODO\n}\n',
  'data/events.jsonl': '{"event": "start"}\n'.repeat(9),
  'logs/all.log': 'a line\n'.repeat(50),
  'archive.toml': '[[objects]]\nmatch = "*.txt"\ntext_fields = ["text"]\n',
  'source.toml': codeBlocks('docs/how-to/choose-what-is-indexed.md', 'toml').join('\n'),
};

const test = suite('what the documentation says');
let home = '';
let environment = {};

test.before.each(async () => {
  home = mkdtempSync(join(tmpdir(), 'trove-docs-'));
  const bind = `127.0.0.1:${await freePort()}`;
  writeFiles(home, NOTES);
  writeFiles(join(home, 'project'), PROJECT);
  // The modules of the clone, as an app would have installed them.
  symlinkSync(join(root, 'node_modules'), join(home, 'project/node_modules'));
  writeCommands(join(home, 'bin'));
  environment = {
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    HOME: home,
    TROVE_SERVER_BIND: bind,
    TROVE_ENDPOINT: `http://${bind}`,
  };
});

test.after.each(() => {
  run('trove serve stop');
  rmSync(home, { recursive: true, force: true });
});

for (const page of PAGES) {
  test(`the commands of ${page} work, one after the other`, () => {
    const commands = shellCommands(page).filter((command) => !isLeftOut(command));
    assert.ok(commands.length > 2, 'there are commands');
    for (const command of commands) succeeds(command);
  });
}

test('the examples in the reference of the command line work', async () => {
  const bind = `127.0.0.1:${await freePort()}`;
  for (const command of ['trove serve start', 'trove add ~/notes', 'trove add .'])
    succeeds(command);
  const [job] = JSON.parse(succeeds('trove job list --json'));
  const examples = shellCommands('docs/reference/cli.md');
  assert.ok(examples.length > 25, 'there are examples');
  for (const example of examples) {
    // Stopping comes last: the others need the server.
    if (example === 'trove serve stop' || example.includes('--bind')) continue;
    const command = example.replace(/\bJOB\b/, job.id);
    // The job has ended long ago, which the command says.
    if (example.startsWith('trove job cancel')) assert.match(run(command).stdout, 'had ended');
    else succeeds(command);
    if (example === 'trove remove ~/notes') succeeds('trove add ~/notes');
  }
  succeeds('trove serve stop');
  succeeds(`trove serve start --bind ${bind}`);
});

test('the settings in the pages on servers are valid', () => {
  const blocks = ['docs/how-to/run-a-server.md', 'docs/reference/configuration.md'].flatMap(
    (page) => codeBlocks(page, 'toml'),
  );
  assert.ok(blocks.length > 1);
  mkdirSync(join(home, '.trove'));
  symlinkSync(join(root, 'node_modules'), join(home, '.trove/node_modules'));
  for (const block of blocks) {
    writeFileSync(join(home, '.trove/server.toml'), block);
    succeeds('OPENAI_API_KEY=x TROVE_DSN=postgres://localhost/trove trove-server reload');
  }
});

test('the script in README.md runs', () => {
  const [script] = codeBlocks('README.md', 'js');
  assert.ok(script !== undefined);
  writeFileSync(join(home, 'project/app.mjs'), `${script}\nconsole.log(results.length > 0);\n`);
  assert.match(succeeds('node app.mjs'), /^true$/m);
});

/** Runs a command in the project's folder; fails unless it succeeds. Returns its output. */
function succeeds(command) {
  const { status, stdout, stderr } = run(command);
  assert.is(status, 0, `${command}\n${stdout}${stderr}`);
  return stdout;
}

function run(command) {
  const { TROVE_SERVER_BIND: bind } = environment;
  // What follows a log never ends by itself.
  const limited = command.endsWith(' -f') ? `timeout 2 ${command} || [ $? = 124 ]` : command;
  return spawnSync('sh', ['-c', limited.replace('127.0.0.1:13619', bind)], {
    cwd: join(home, 'project'),
    env: { ...withoutTrove(process.env), ...environment },
    encoding: 'utf8',
    timeout: 60_000,
  });
}

function isLeftOut(command) {
  return NOT_RUN.some(([pattern]) => pattern.test(command));
}

function withoutTrove(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TROVE_')));
}

/** `trove`, `trove-server` and `npx` as an install would have put them on the path. */
function writeCommands(folder) {
  const node = `exec "${process.execPath}"`;
  const commands = {
    trove: `${node} "${join(root, 'packages/cli/dist/bin.js')}" "$@"`,
    'trove-server': `${node} "${join(root, 'packages/server/dist/bin.js')}" "$@"`,
    npx: 'exec "$@"',
  };
  writeFiles(
    folder,
    Object.fromEntries(
      Object.entries(commands).map(([name, line]) => [name, `#!/bin/sh\n${line}\n`]),
    ),
  );
  for (const name of Object.keys(commands)) chmodSync(join(folder, name), 0o755);
}

function writeFiles(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

test.run();
