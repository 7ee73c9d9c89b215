// test-timeout: 900
// test-slow
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { compileTests } from '../src/lib/compiled-tests.mjs';
import { runTestFile } from '../src/lib/test-file-run.mjs';
import { testFiles } from '../src/lib/test-files.mjs';

/** A reference in a test file to a helper that skips tests without a program. */
const optionalMarker =
  /\b(missingProgram|noObjectStore|noMariadb|noMailServer|noDavServer|noSshServer|noBrowser)\b/;
/** `sh` is on every system where npm runs. */
const knownPrograms = ['node', 'npm', 'git', 'sh'];

const test = suite('tests without optional programs');
const folder = mkdtempSync(join(tmpdir(), 'trove-programs-'));
test.before(() => {
  for (const program of knownPrograms) symlinkSync(pathOf(program), join(folder, program));
});
test.after(() => rmSync(folder, { recursive: true, force: true }));

function pathOf(program) {
  const candidates = process.env.PATH.split(delimiter).map((place) => join(place, program));
  return candidates.find((path) => existsSync(path));
}

/** In a whole run the file exists, and other processes may be reading it. */
function isCompiled({ path, program }) {
  return existsSync(program) && statSync(program).mtimeMs > statSync(path).mtimeMs;
}

const { files } = testFiles();
const own = files.filter(
  ({ path, name }) =>
    name !== 'packages/workbench/test/optional-programs.test.mjs' &&
    optionalMarker.test(readFileSync(path, 'utf8')),
);
const { TROVE_TEST_REQUIRE_ALL: _required, TROVE_TEST_OBJECT_STORE: _store, ...rest } = process.env;

test('has many files that need an optional program', () =>
  assert.ok(own.length > 15, `${own.length}`));

for (const file of own) {
  test(`passes ${file.name} with only Node, npm and git`, async () => {
    if (!isCompiled(file)) await compileTests([file.path]);
    const { failed, skipped, problems, output } = await runTestFile(file, {
      ...rest,
      PATH: folder,
    });
    assert.is(failed, 0, `${problems.join('\n')}\n${output}`);
    assert.ok(skipped > 0 || file.name === 'packages/trove/test/refused-sources.test.ts', 'skips');
  });
}

test.run();
