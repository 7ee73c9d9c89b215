// test-timeout: 900
// test-slow
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { freePort } from '@trove/test-support/free-port.js';
import { startFakeS3 } from '@trove/test-support/fake-s3.js';
import { project, writeFiles } from '@trove/test-support/programs/sample-files.mjs';
import { codeBlocks, pages, shellCommands } from '../src/lib/documentation.mjs';
import { root } from '../src/lib/workspaces.mjs';

/* Runs every command of every page, one after the other, in a separate project. */

/** Skipped commands with the reason. */
const notRun = [
  [/^npm run quickstart/, 'installs and builds in the clone itself'],
  [/^npm test\b/, 'runs the tests, of which this is one'],
  [/^npm run eval:questions /, 'needs the repositories'],
  [/^npm start -w example-shared-deployment/, 'starts what its own test starts'],
  [/^npm install --(global|prefix) /, 'needs a registry'],
  [/^trove .* (postgres|mysql|mongodb):/, 'needs a database server'],
  [/^trove .* '?sqlite:\/\/\/data\//, 'needs that database'],
  [/^trove .* azure:/, 'needs an account of that service'],
  [/^trove .* imaps:/, 'needs a mail server'],
  [/^trove .* rss:/, 'needs a web site'],
  [/^trove .* (webdav|sftp):/, 'needs a file server'],
  [
    /^trove .*('?(airtable|asana|confluence|discord|gdrive|github|gitlab|gmail|hubspot|intercom|jira|linear|notion|onedrive|outlook|sharepoint|slack|zendesk):|git\+https:\/\/github|"(state|status_category) )/,
    'needs an account of that service',
  ],
  [/^trove .*(rest:|"category = )|^trove-server connector add rest$/, 'needs a web API'],
  [/^trove-server connector add( github)?$/, 'asks on a terminal'],
  [/^trove log(in|out)\b/, 'asks on a terminal'],
  [/^trove-server connector login /, 'needs an account of the service'],
  [/^trove .* https:\/\/docs\.example\.com/, 'needs a web site'],
  [
    /create-trove-connector|^cd \.\.\/trove-connector-(notes|desk)$|notes:\/\/mine|^trove search bread/,
    'makes a package, which its own test tries',
  ],
  [/^claude /, 'is a program of its own'],
  [/^trove profile (use work|add .* --use)$/, 'needs the token of another server'],
  [/ trove-server restore \/backups\//, 'needs a backup'],
  [/^trove serve install$/, 'needs a service manager'],
  [/^trove-server alerts test$/, 'needs a receiver'],
  [/^trove open 1$/, 'needs a search on a terminal'],
];
/** Commands that run until they are stopped: the output to wait for, and how they end. */
const endlessCommands = [
  { command: /^trove-server (run|api)( --bind \S+)?$/, ready: /listening on http/, ends: 0 },
  { command: /^trove-server worker$/, ready: /working/, ends: 0 },
  { command: / -f$/, ready: /./, ends: 'SIGTERM' },
];
const reference = 'docs/reference/cli.md';
/** Requirements of a page. */
const setupCommands = {
  'docs/how-to/ask-questions.md': ['trove serve start'],
  'docs/how-to/build-a-graph.md': ['trove serve start'],
  'docs/how-to/choose-an-index.md': ['trove serve start'],
  'docs/how-to/connect-an-agent-over-http.md': ['trove serve start', 'trove add .'],
  'docs/how-to/send-files.md': ['trove serve start'],
  'docs/how-to/use-a-language-model.md': ['trove serve start', 'trove add .'],
  'docs/how-to/give-people-access.md': ['trove serve start'],
  'docs/how-to/evaluate-search.md': ['trove serve start', 'trove add .'],
  'docs/how-to/find-lines.md': ['trove serve start', 'trove add .'],
  'docs/how-to/read-code.md': ['trove serve start', 'trove add .'],
  'docs/how-to/index-a-web-site.md': ['trove serve start', 'trove add .'],
  'docs/how-to/search-a-bucket.md': ['trove serve start'],
  'docs/how-to/search-a-database.md': ['trove serve start', makeShop()],
  'docs/how-to/sync-on-a-schedule.md': ['trove serve start'],
  'docs/how-to/work-from-an-editor.md': ['trove serve start', 'trove add .'],
  'docs/skill/SKILL.md': ['trove serve start', 'trove add .'],
};
const noteFiles = {
  'notes/backup.md': `# Backups\n\n${'How to restore a backup with restic.\n\n'.repeat(20)}TODO test it\n`,
  'notes/ops.md': '# Operations\n\nTokens are rotated every night.\n\nAn invoice a month.\n',
  'archive/old.txt': 'an old text\n',
};
const bucket = {
  'handbook/policies/travel.md': '# Travel expenses\n\nA per diem of 30 covers meals.\n',
};
const app = join(root, 'examples/embed-in-an-app');
const apps = ['app.js', 'recent-first.js', 'ask-graph.js', 'own-parts.js'];
const limitMs = 120_000;
/** Makes a source whose folder has moved. */
const movingFolder = [
  'mkdir -p ~/moving ~/documents && cp ~/archive/old.txt ~/moving',
  'trove add ~/moving',
  'mv ~/moving ~/documents/notes',
];

const test = suite('the commands in the documentation');
const skipped = new Set();
let home = '';
let environment = {};
let store;

test.before(async () => {
  store = await startFakeS3({ ignoresConditions: false });
  for (const [key, body] of Object.entries(bucket))
    await fetch(`${store.endpoint}/company-docs/${key}`, { method: 'PUT', body });
});
test.after(() => store.stop());

test.before.each(async () => {
  home = mkdtempSync(join(tmpdir(), 'trove-docs-'));
  const bind = `127.0.0.1:${await freePort()}`;
  writeFiles(home, noteFiles);
  writeFiles(join(home, 'project'), {
    ...project,
    ...Object.fromEntries(apps.map((name) => [name, readFileSync(join(app, name), 'utf8')])),
    'source.toml': sourceConfig(),
    'people.jsonl': graphDocuments(),
    'questions.jsonl': searchQuestions(),
  });
  // Links the modules of the clone, as if the app had installed them.
  symlinkSync(join(root, 'node_modules'), join(home, 'project/node_modules'));
  writeCommands(join(home, 'bin'));
  environment = {
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    HOME: home,
    BROWSER: 'true',
    EDITOR: 'true',
    AWS_ENDPOINT_URL: store.endpoint,
    AWS_ACCESS_KEY_ID: 'somebody',
    AWS_SECRET_ACCESS_KEY: 'secret',
    TROVE_SERVER_BIND: bind,
    TROVE_ENDPOINT: `http://${bind}`,
  };
});

test.after.each(async () => {
  await run('trove serve stop');
  rmSync(home, { recursive: true, force: true });
});

for (const page of pages().filter((name) => name !== reference)) {
  const commands = shellCommands(page).filter(isRun);
  if (commands.length === 0) continue;
  test(page, async () => {
    for (const command of setupCommands[page] ?? []) await succeeds({ page, line: 0, command });
    for (const one of commands) await succeeds(one);
  });
}

test(reference, async () => {
  const examples = shellCommands(reference).filter(isRun);
  assert.ok(examples.length > 25, 'there are examples');
  const before = (command) => succeeds({ page: reference, line: 0, command });
  for (const command of ['trove serve start', 'trove add ~/notes', 'trove add .'])
    await before(command);
  const [job] = JSON.parse(await before('trove job list --json'));
  const bind = `127.0.0.1:${await freePort()}`;
  // Stop commands run last, because others need the server.
  const isLast = ({ command }) => command === 'trove serve stop' || command.includes('--bind');
  for (const example of [...examples.filter((one) => !isLast(one)), ...examples.filter(isLast)]) {
    const command = example.command
      .replace(/\bJOB\b/, job.id)
      .replace(' /backups/', ' ~/backups/')
      // Earlier examples have uploaded the notes.
      .replace('trove mv ~/notes ', 'trove mv ~/moving ')
      .replace(/(--bind) \S+$/, `$1 ${bind}`);
    if (command.startsWith('trove mv ~/moving '))
      for (const step of movingFolder) await before(step);
    // The job has ended already, and the command reports that.
    if (command.startsWith('trove job cancel')) {
      assert.match((await run(command)).output, 'had already ended');
    } else if (command.includes('--bind')) {
      await succeeds({ ...example, command: 'trove serve stop' });
      await succeeds({ ...example, command });
    } else await succeeds({ ...example, command });
    if (command === 'trove remove ~/notes') await before('trove add ~/notes');
  }
});

test('has no unused reason for skipping a command', () => {
  for (const [pattern] of notRun) assert.ok(skipped.has(pattern), `${pattern} names no command`);
});

/** Runs a command in the project's folder and expects success. Returns its standard output. */
async function succeeds({ page, line, command }) {
  const { code, stdout, output } = await run(command);
  assert.is(code, 0, `${page}:${line}: ${command}\n${output}`);
  return stdout;
}

/** Runs a command. `code` is also 0 if it ended as expected after being stopped. */
async function run(command) {
  const { TROVE_SERVER_BIND: bind } = environment;
  const endless = endlessCommands.find((one) => one.command.test(command));
  const text = command.replace('127.0.0.1:13619', bind);
  const child = spawn('sh', ['-c', endless ? `exec ${text}` : text], {
    cwd: join(home, 'project'),
    env: { ...withoutTrove(process.env), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
  });
  let stdout = '';
  let output = '';
  let isStopped = false;
  child.stdout.setEncoding('utf8').on('data', (part) => (stdout += part));
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part) => {
      output += part;
      if (!isStopped && endless?.ready.test(output)) isStopped = child.kill('SIGTERM');
    });
  }
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...ended) => resolve(ended));
  });
  if (endless === undefined) return { code, stdout, output };
  return { code: isStopped && (code ?? signal) === endless.ends ? 0 : (code ?? 1), stdout, output };
}

function isRun({ command }) {
  const reason = notRun.find(([pattern]) => pattern.test(command));
  if (reason !== undefined) skipped.add(reason[0]);
  return reason === undefined;
}

function sourceConfig() {
  const page = 'docs/how-to/choose-what-is-indexed.md';
  const [block] = codeBlocks(page).filter(({ code }) => code.startsWith('# source.toml'));
  return block.code;
}

/** Returns a command that creates the database described on a page. */
function makeShop() {
  const sql = `create table customers(id integer primary key, name text, note text);
    insert into customers values (1, 'Ada', 'Three overdue invoices, 100% sure');`;
  return `node -e "new (require('sqlite3').Database)('shop.db').exec(process.argv[1])" "${sql}"`;
}

function graphDocuments() {
  const page = 'docs/how-to/build-a-graph.md';
  const [block] = codeBlocks(page).filter(({ code }) => code.startsWith('{"id": '));
  return block.code;
}

function searchQuestions() {
  const page = 'docs/how-to/evaluate-search.md';
  const [block] = codeBlocks(page).filter(({ code }) => code.includes('{"question": '));
  return block.code;
}

function withoutTrove(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TROVE_')));
}

/** Writes `trove`, `trove-server` and `npx` as an installation would put them on the path. */
function writeCommands(folder) {
  const node = `exec "${process.execPath}"`;
  const commands = {
    trove: `${node} "${join(root, 'packages/cli/bin/trove.js')}" "$@"`,
    'trove-server': `${node} "${join(root, 'packages/server/bin/trove-server.js')}" "$@"`,
    npx: 'exec "$@"',
  };
  for (const [name, line] of Object.entries(commands)) {
    writeFiles(folder, { [name]: `#!/bin/sh\n${line}\n` });
    chmodSync(join(folder, name), 0o755);
  }
}

test.run();
