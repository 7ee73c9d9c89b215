// test-timeout: 600
// test-slow
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { installPacked } from '../src/lib/install-packed.mjs';
import { packedPackages } from '../src/lib/packed.mjs';
import { publicPackages, root } from '../src/lib/workspaces.mjs';
import { writeFiles } from '@trove/test-support/programs/sample-files.mjs';

/* Packs every package as for publishing, installs it in an empty folder and uses it there. */

const noteFiles = {
  'notes/backup.md': '# Backups\n\nHow to restore a backup with restic.\n',
  'notes/garden.md': '# Garden\n\nTomatoes want sun.\n',
};
const example = 'examples/smallest-connector';
const typePackages = {
  strict: true,
  module: 'NodeNext',
  target: 'ES2023',
  lib: ['ES2023', 'ES2024.String', 'ESNext.Disposable'],
  types: ['node'],
  // Our declarations are checked too. They must not need a package that an installation does not include.
  skipLibCheck: false,
};

/** A connector of another author in TypeScript, and its test. */
const numbers = `import { defineConnector } from '@trove/core';

export default defineConnector({
  keys: ['numbers'],
  configSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['largest'],
    properties: { largest: { type: 'integer', minimum: 1, description: 'How far to count.' } },
  },
  create({ config: { largest }, error }) {
    const texts = new Map(
      Array.from({ length: largest }, (_, n) => [\`\${n + 1}.txt\`, \`number \${n + 1}\\n\`.repeat(n + 3)]),
    );
    return {
      async *list({ signal }) {
        for (const [path, text] of texts) {
          signal.throwIfAborted();
          yield { path, size: text.length, modifiedAt: null, fingerprint: text };
        }
      },
      async read(path, { signal }) {
        signal.throwIfAborted();
        const text = texts.get(path);
        if (text === undefined) throw error('not_found', \`There is no number "\${path}".\`);
        return { bytes: new TextEncoder().encode(text), mediaType: 'text/plain' };
      },
    };
  },
});
`;
const numbersSuite = `import { type ConnectorSubject, selectConnectorCases } from '@trove/testkit';

import plugin from './numbers.js';

const subject: ConnectorSubject = {
  plugin,
  target: 'numbers://all',
  config: { largest: 2 },
  objects: [
    { path: '1.txt', bytes: Buffer.from('number 1\\n'.repeat(3)) },
    { path: '2.txt', bytes: Buffer.from('number 2\\n'.repeat(4)) },
  ],
  absent: '3.txt',
};
const { cases } = await selectConnectorCases(subject);
for (const { run } of cases) await run(subject);
console.log(cases.length);
`;

const test = suite('packed tarballs, installed elsewhere');
let work = '';
let packed = [];

test.before(async () => {
  work = realpathSync(mkdtempSync(join(tmpdir(), 'trove-tarballs-')));
  mkdirSync(join(work, 'pack'));
  packed = await packedPackages(join(work, 'pack'));
});

test.after(() => rmSync(work, { recursive: true, force: true }));

test('imports trove in an app, indexes a folder and a connector, and searches', async () => {
  const app = await installed('app', ['trove', 'trove-connector-hello']);
  writeFiles(app, {
    ...noteFiles,
    'app.mjs': `import { createTrove } from 'trove';

const trove = await createTrove({ home: './home' });
const found = [];
for (const [target, q] of [['./notes', 'restore a backup'], ['hello://world', 'karibu']]) {
  await trove.add({ target, process: true });
  const { results } = await trove.search({ q });
  found.push(results[0].source);
}
await trove.close();
console.log(JSON.stringify(found));
`,
  });
  const found = JSON.parse(succeeds(app, process.execPath, 'app.mjs'));
  assert.equal(found, [
    `file://local${app}/notes/backup.md`,
    'hello://world/more/swahili%20&%20co.md',
  ]);
});

test('starts trove-server, and adds and searches with trove', async () => {
  const app = await installed('commands', ['@trove/server', '@trove/cli']);
  writeFiles(app, noteFiles);
  const bin = (name) => join(app, 'node_modules/.bin', name);
  const server = spawn(bin('trove-server'), ['run', '--bind', '127.0.0.1:0'], {
    cwd: app,
    env: environment(app),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(server, 'exit');
  try {
    const endpoint = await addressOf(server);
    const health = await fetch(`${endpoint}/healthz`);
    assert.is((await health.json()).status, 'ok');
    const pages = ['', 'console/console.js', 'console/console.css', 'console/cytoscape.js'];
    pages.push('docs', 'docs/page.js', 'docs/swagger-ui.js');
    for (const page of pages) {
      assert.is((await fetch(`${endpoint}/${page}`)).status, 200, page);
    }
    const trove = (...args) => succeeds(app, bin('trove'), ...args, '--endpoint', endpoint);
    assert.match(trove('add', 'notes'), '2 added');
    assert.match(trove('search', 'restore a backup'), /^notes\/backup\.md:/);
  } finally {
    server.kill('SIGTERM');
  }
  assert.equal(await ended, [0, null]);
});

test('runs the suite of @trove/testkit for a connector in JavaScript and TypeScript', async () => {
  const author = await installed(
    'author',
    ['@trove/testkit'],
    ['typescript', '@types/node', 'uvu'],
  );
  cpSync(join(root, example), join(author, 'hello'), {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  writeFiles(author, {
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        ...typePackages,
        allowJs: true,
        checkJs: true,
        outDir: 'dist',
        rootDir: '.',
      },
      files: ['hello/index.js', 'numbers.ts', 'suite.ts'],
    }),
    'numbers.ts': numbers,
    'suite.ts': numbersSuite,
  });
  typechecks(author);
  assert.match(succeeds(author, process.execPath, 'hello/test/suite.test.js'), /Passed: +[23]\d/);
  const passed = Number(succeeds(author, process.execPath, 'dist/suite.js'));
  assert.ok(passed >= 20, `${passed} cases passed`);
});

test('creates a connector with npm create, with all parts of a service', async () => {
  const author = await installed(
    'beginner',
    ['create-trove-connector', '@trove/connector-kit', '@trove/testkit', 'trove'],
    ['typescript', '@types/node'],
  );
  const create = join(author, 'node_modules/.bin/create-trove-connector');
  for (const [language, entry, ...build] of [
    ['--javascript', 'index.js'],
    ['--folder=in-typescript', 'dist/src/index.js', 'node_modules/typescript/bin/tsc'],
  ]) {
    const made = join(author, build.length > 0 ? 'in-typescript' : 'trove-connector-notes');
    assert.match(succeeds(author, create, 'notes', language), 'npm install\n  npm test');
    for (const tool of build) succeeds(made, process.execPath, join(author, tool));
    const tests = join(made, entry.includes('dist') ? 'dist/test' : 'test');
    succeeds(made, process.execPath, '--test', join(tests, 'suite.test.js'));
    writeFiles(made, {
      'app.mjs': `import { createTrove } from 'trove';
import notes from './${entry}';
import { startService } from '${join(tests, 'service.js')}';

const service = await startService();
const trove = await createTrove({ home: './home', plugins: [notes] });
await trove.add({ target: 'notes://mine', config: service.config, process: true });
const { results } = await trove.search({ q: 'bread and butter' });
console.log(results[0].source);
await trove.close();
await service.close();
`,
    });
    const found = succeeds(made, process.execPath, 'app.mjs');
    assert.is(found, 'notes://mine/bread%20&%20butter.md\n');
  }
  succeeds(author, create, 'desk', '--http', '--javascript');
  succeeds(author, create, 'desk', '--http', '--folder=desk-in-typescript');
  const desk = join(author, 'desk-in-typescript');
  succeeds(desk, process.execPath, join(author, 'node_modules/typescript/bin/tsc'));
  for (const tests of ['trove-connector-desk/test', 'desk-in-typescript/dist/test'])
    succeeds(author, process.execPath, '--test', join(author, tests, 'suite.test.js'));
});

test('needs no other package for the main entry of @trove/core', async () => {
  const author = await installed('with-core', ['@trove/core']);
  const alone = join(work, 'alone');
  cpSync(join(author, 'node_modules/@trove/core'), join(alone, 'node_modules/@trove/core'), {
    recursive: true,
  });
  writeFiles(alone, {
    'app.mjs':
      "import { parseUri } from '@trove/core';\nconsole.log(parseUri('hello://world').scheme);\n",
  });
  assert.is(succeeds(alone, process.execPath, 'app.mjs'), 'hello\n');
});

test('imports every entry of every package with complete types', async () => {
  const names = publicPackages().map(({ manifest }) => manifest.name);
  const app = await installed('everything', names, ['typescript', '@types/node']);
  const entries = publicPackages().flatMap(({ manifest }) =>
    Object.keys(manifest.exports)
      .filter((entry) => entry !== './package.json')
      .map((entry) => manifest.name + entry.slice(1)),
  );
  const imports = entries.map((entry, index) => `import * as entry${index} from '${entry}';`);
  const uses = entries.map((entry, index) => `  '${entry}': Object.keys(entry${index}).length,`);
  writeFiles(app, {
    'app.ts': `${imports.join('\n')}\nconsole.log(JSON.stringify({\n${uses.join('\n')}\n}));\n`,
    'tsconfig.json': JSON.stringify({ compilerOptions: typePackages, files: ['app.ts'] }),
  });
  typechecks(app);
  const exported = JSON.parse(succeeds(app, process.execPath, 'app.js'));
  const empty = entries.filter((entry) => exported[entry] === 0);
  assert.equal(empty, ['@trove/core/workers'], 'every entry with values exports some');
});

/** Returns a new folder where npm installed some of our packages, none of them from the clone. */
async function installed(name, names, tools) {
  const folder = join(work, name);
  mkdirSync(folder);
  await installPacked(folder, packed, names, tools);
  const modules = join(folder, 'node_modules');
  const ours = packed.map(({ manifest }) => join(modules, ...manifest.name.split('/')));
  for (const path of ours.filter((one) => isThere(one))) assert.is(realpathSync(path), path);
  for (const one of names) assert.ok(isThere(join(modules, one)), `${one} is installed`);
  return folder;
}

function isThere(path) {
  return readdirSync(dirname(path), { withFileTypes: true }).some(
    (entry) => join(entry.parentPath ?? entry.path, entry.name) === path,
  );
}

function typechecks(folder) {
  succeeds(folder, process.execPath, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json');
}

/** Runs a program in a folder and expects success. Returns its standard output. */
function succeeds(folder, program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    env: environment(folder),
    encoding: 'utf8',
    timeout: 120_000,
  });
  assert.is(status, 0, `${program} ${args.join(' ')}\n${stdout}${stderr}${error ?? ''}`);
  return stdout;
}

function environment(folder) {
  return { PATH: process.env.PATH, HOME: folder, TROVE_HOME: join(folder, 'home') };
}

/** Returns the address that a server prints when it listens. */
async function addressOf(server) {
  for await (const line of createInterface({ input: server.stdout })) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the server printed no address');
}

test.run();
