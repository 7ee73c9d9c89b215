// test-timeout: 600
// test-slow
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { project, writeFiles } from '@trove/test-support/programs/sample-files.mjs';
import { missingProgram, testUnless } from '@trove/test-support/skips.js';
import { codeBlocks } from '../src/lib/documentation.mjs';
import { installPacked } from '../src/lib/install-packed.mjs';
import { packedPackages } from '../src/lib/packed.mjs';
import { startServer } from '../src/lib/server.mjs';
import { root } from '../src/lib/workspaces.mjs';

/* Type-checks and runs the programs on the pages, and validates their configurations, with the packed packages. */

/** Languages of programs with their file extensions. */
const programEndings = { js: 'mjs', ts: 'mts' };
/** Another test runs shell blocks. Blocks marked as text are only shown. */
/** Python programs run with the client in the repository. */
const python = { py: 'py' };
const endings = { ...programEndings, ...python };
const languages = new Set([...Object.keys(endings), 'toml', 'json', 'sh', 'text']);
/** Programs of other pages that a page's program imports, by name. */
const companionFiles = { 'packages/testkit/README.md': { 'index.ts': 'packages/core/README.md' } };
const mail = {
  'package.json': '{"name":"trove-connector-mail","type":"module","exports":"./index.js"}',
  'index.js': `export default {
  kind: 'connector',
  apiVersion: 1,
  keys: ['mail'],
  configSchema: {
    type: 'object',
    additionalProperties: false,
    properties: { host: { type: 'string' }, token: { type: 'string', writeOnly: true } },
  },
  create: () => ({ async *list() {}, async read() {} }),
};
`,
};
const typePackages = {
  strict: true,
  allowJs: true,
  checkJs: true,
  noEmit: true,
  module: 'NodeNext',
  target: 'ES2023',
  types: ['node'],
};
const limitMs = 120_000;

const blocks = codeBlocks();
const programs = blocks.filter(({ language, excerpt }) => programEndings[language] && !excerpt);
const scripts = blocks.filter(({ language, excerpt }) => python[language] && !excerpt);
const noPython = missingProgram('python3');
const test = suite('the code in the documentation');
let work = '';
let server;

test.before(async () => {
  work = realpathSync(mkdtempSync(join(tmpdir(), 'trove-code-')));
  mkdirSync(join(work, 'pack'));
  const packed = await packedPackages(join(work, 'pack'));
  const names = packed.map(({ manifest }) => manifest.name);
  await installPacked(work, packed, names, ['typescript', '@types/node', 'tsx']);
  writeFiles(join(work, 'node_modules/trove-connector-mail'), mail);
  server = await startServer(join(work, 'server'));
});

test.after(async () => {
  await server?.stop();
  rmSync(work, { recursive: true, force: true });
});

test('knows the language of every block', () => {
  const unknown = blocks.filter(({ language }) => !languages.has(language));
  assert.equal(unknown.map(placeOf), []);
  assert.ok(programs.length > 5, 'there are programs');
  assert.ok(scripts.length > 3, 'there are programs in Python');
});

test('programs type-check', () => {
  for (const program of programs) writeProgram(program);
  writeFiles(work, {
    'tsconfig.json': JSON.stringify({
      compilerOptions: typePackages,
      files: programs.map(fileOf),
    }),
  });
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(work, 'node_modules/typescript/bin/tsc'), '-p', work],
    { cwd: work, encoding: 'utf8' },
  );
  // Maps the lines of a program to those of its page.
  const located = programs.reduce(
    (text, program) => text.replaceAll(`${fileOf(program)}(`, `${program.page}(`),
    stdout,
  );
  assert.is(located, '');
  assert.is(status, 0);
});

for (const program of programs) {
  test(`${placeOf(program)} runs`, () => {
    writeProgram(program);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...(program.language === 'ts' ? ['--import', 'tsx'] : []), join(work, fileOf(program))],
      {
        cwd: join(work, folderOf(program)),
        env: environment(),
        encoding: 'utf8',
        timeout: limitMs,
      },
    );
    assert.is(status, 0, `${placeOf(program)}\n${stdout}${stderr}`);
  });
}

for (const script of scripts) {
  testUnless(noPython, test)(`${placeOf(script)} runs`, () => {
    writeProgram(script);
    const { status, stdout, stderr } = spawnSync('python3', ['-W', 'error', fileOf(script)], {
      cwd: work,
      env: {
        ...process.env,
        ...environment(),
        HOME: process.env.HOME,
        PYTHONPATH: join(root, 'packages/client-python/src'),
        PYTHONDONTWRITEBYTECODE: '1',
      },
      encoding: 'utf8',
      timeout: limitMs,
    });
    assert.is(status, 0, `${placeOf(script)}\n${stdout}${stderr}`);
  });
}

for (const block of blocks.filter(({ language }) => language === 'toml')) {
  const [, name = 'server.toml'] = /^# (\w+\.toml)\n/.exec(block.code) ?? [];
  test(`${placeOf(block)} is a valid ${name}`, () => {
    const check = configurations[name];
    assert.ok(check !== undefined, `${placeOf(block)}: ${name} is no configuration`);
    const { status, stdout, stderr } = check(block.code);
    assert.is(status, 0, `${placeOf(block)}\n${stdout}${stderr}`);
  });
}

for (const block of blocks.filter(({ language }) => language === 'json')) {
  test(`${placeOf(block)} is valid JSON`, () => JSON.parse(block.code));
}

/** Validators of configurations. The first line of a block names the kind. */
const configurations = {
  'server.toml': (code) => {
    writeFiles(work, { 'server.toml': code });
    return runBin('trove-server', ['reload', '--config', 'server.toml'], referenced(code));
  },
  'source.toml': (code) => {
    writeFiles(work, { 'source/source.toml': code });
    return runBin('trove', ['probe', 'source', '--config', 'source/source.toml']);
  },
  'sources.toml': (code) => {
    const reachable = code
      .replace('/home/me/notes', join(work, 'home'))
      .replace('env:DATABASE_URL', 'postgres://localhost/trove');
    writeFiles(work, { 'sources.toml': reachable });
    return runBin('trove', ['sources', 'apply', 'sources.toml', '--dry-run']);
  },
  'client.toml': (code) => {
    writeFiles(join(work, 'server'), { 'client.toml': code });
    const [, profile] = /^\[profiles\.(\w+)\]$/m.exec(code);
    const token = readFileSync(join(work, 'server/server.token'), 'utf8').trim();
    const result = runBin('trove', ['status', '--profile', profile], {
      TROVE_API_TOKEN: token,
    });
    rmSync(join(work, 'server/client.toml'));
    return result;
  },
};

/** Returns values for the variables of a configuration. */
function referenced(code) {
  const names = [...code.matchAll(/"env:(\w+)"/g)].map(([, name]) => name);
  return Object.fromEntries(names.map((name) => [name, 'postgres://localhost/trove']));
}

function runBin(name, args, env = {}) {
  return spawnSync(join(work, 'node_modules/.bin', name), args, {
    cwd: work,
    env: { ...environment(), ...server.environment, ...env },
    encoding: 'utf8',
    timeout: limitMs,
  });
}

function environment() {
  const token = readFileSync(join(work, 'server/server.token'), 'utf8').trim();
  return { PATH: process.env.PATH, HOME: join(work, 'home'), TROVE_API_TOKEN: token };
}

/** Writes a program to its own project with the line numbers of its page and with existing paths. */
function writeProgram(program) {
  const folder = join(work, folderOf(program));
  const code = program.code
    .replaceAll('http://127.0.0.1:13619', server.endpoint)
    .replaceAll('/var/lib/app', folder)
    .replaceAll('/home/me/notes', join(folder, 'docs'));
  const found = /process: true[^]*const \{ results \}/.test(code)
    ? "\nif (results.length === 0) throw new Error('nothing was found');\n"
    : '';
  const beside = Object.entries(companionFiles[program.page] ?? {}).map(([name, page]) => [
    name,
    codeBlocks(page).find(({ language }) => programEndings[language]).code,
  ]);
  writeFiles(folder, { ...project, ...Object.fromEntries(beside) });
  writeFileSync(join(work, fileOf(program)), '\n'.repeat(program.line - 1) + code + found);
}

function folderOf({ page, line }) {
  return `programs/${page.replaceAll('/', '-')}-${line}`;
}

function fileOf(program) {
  return `${folderOf(program)}/program.${endings[program.language]}`;
}

function placeOf({ page, line }) {
  return `${page}:${line}`;
}

test.run();
