import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const command = fileURLToPath(new URL('../bin/create-trove-connector.js', import.meta.url));

const test = suite<{ work: string }>('npm create trove-connector');

test.before.each((context) => {
  context.work = realpathSync(mkdtempSync(join(tmpdir(), 'trove-create-')));
});
test.after.each(({ work }) => rmSync(work, { recursive: true, force: true }));

function run(cwd: string, program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const create = (cwd: string, ...args: string[]) => run(cwd, process.execPath, command, ...args);

for (const [what, ...options] of [
  ['TypeScript'],
  ['JavaScript', '--javascript'],
  ['TypeScript with the kit', '--http'],
  ['JavaScript with the kit', '--http', '--javascript'],
] as const) {
  test(`creates a connector in ${what} from a clone that passes its suite`, ({ work }) => {
    const { status, stdout, stderr } = create(work, 'notes', ...options);
    assert.is(status, 0, stderr);
    assert.match(stdout, 'cd trove-connector-notes\n  npm test');
    const folder = join(work, 'trove-connector-notes');
    const tested = run(folder, 'npm', 'test', '--offline');
    assert.is(tested.status, 0, tested.stdout + tested.stderr);
    const passed = Number(/^(?:#|ℹ) pass (\d+)$/m.exec(tested.stdout)?.[1]);
    assert.ok(passed >= 25, tested.stdout);
    const made = ['README.md', 'package.json'].map((name) =>
      readFileSync(join(folder, name), 'utf8'),
    );
    assert.not.match(made.join(''), /__scheme__/);
  });
}

test('refuses a full folder and an invalid scheme', ({ work }) => {
  mkdirSync(join(work, 'full'));
  writeFileSync(join(work, 'full/mine.txt'), 'mine');
  const full = create(work, 'notes', '--folder', 'full');
  assert.equal([full.status, existsSync(join(work, 'full/package.json'))], [1, false]);
  assert.match(full.stderr, 'full is not empty. Name another folder with --folder');
  for (const scheme of ['Notes', '1password', '../notes', 'a/b', 'x'.repeat(70)]) {
    const refused = create(work, scheme);
    assert.is(refused.status, 1);
    assert.match(refused.stderr, 'cannot be the scheme');
  }
  assert.match(create(work).stderr, 'name one scheme');
  assert.match(create(work, '--nonsense').stderr, /nonsense/);
  assert.match(create(work, '--help').stdout, 'npm create trove-connector SCHEME');
});

test('creates a connector whose only copy of the contract is the one of the app', async () => {
  const { manifestOf } = await import('../src/package-files.js');
  for (const language of ['typescript', 'javascript'] as const) {
    const manifest = JSON.parse(await manifestOf('notes', { language, http: false }));
    assert.equal(Object.keys(manifest.peerDependencies), ['@trove/core']);
    assert.is(manifest.dependencies, undefined);
    const described = JSON.parse(await manifestOf('notes', { language, http: true }));
    assert.equal(Object.keys(described.dependencies), ['@trove/connector-kit']);
    assert.is(manifest.devDependencies['@trove/core'], manifest.peerDependencies['@trove/core']);
  }
});

test('builds connectors with the tools of Trove', async () => {
  const root: unknown = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  );
  const ours: Record<string, string> = Object(Reflect.get(Object(root), 'devDependencies'));
  const { manifestOf } = await import('../src/package-files.js');
  const { devDependencies } = JSON.parse(
    await manifestOf('notes', { language: 'typescript', http: false }),
  );
  for (const name of ['typescript', '@types/node']) assert.is(devDependencies[name], ours[name]);
});

test.run();
