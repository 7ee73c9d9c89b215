import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { runTestFile } from '../src/lib/test-file-run.mjs';
import { testArguments } from '../src/lib/test-arguments.mjs';
import { selectFiles, testFiles } from '../src/lib/test-files.mjs';
import { root } from '../src/lib/workspaces.mjs';

const head = `
import { suite } from 'uvu';
import { spawn } from 'node:child_process';
const test = suite('planted');
`;
const sleeper = `spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'],`;

const runner = suite('runTestFile');
let folder = '';

runner.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'trove-runner-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
});
runner.after(() => rmSync(folder, { recursive: true, force: true }));

function runSource(source, timeoutMs = 60_000) {
  const program = join(folder, 'planted.test.mjs');
  writeFileSync(program, head + source);
  return runTestFile({ program, name: 'planted', timeoutMs });
}

async function assertFails(source, problem, timeoutMs) {
  const result = await runSource(source, timeoutMs);
  assert.ok(result.failed > 0, 'counted as failed');
  assert.match(result.problems.join('\n'), problem);
  return result;
}

runner('sorts files by their time limit and reads their waits and needs', () => {
  const { files } = testFiles();
  const long = files.filter(({ isLong }) => isLong);
  assert.equal(files.slice(0, long.length), long);
  const limits = long.map(({ timeoutMs }) => timeoutMs);
  assert.equal(
    limits,
    limits.toSorted((a, b) => b - a),
  );
  assert.ok(limits.at(-1) < limits[0]);
  const facts = (name) => files.find((file) => file.name === name);
  assert.is(facts('packages/runtime/test/guard.test.ts').waits, true);
  assert.equal(facts('packages/server/test/postgres.test.ts').needs, ['TROVE_TEST_PG_URL']);
  const store = facts('plugins/connector-s3/test/suite.test.ts');
  assert.equal(store.needs, ['TROVE_TEST_OBJECT_STORE']);
  const { waits, needs } = facts('packages/core/test/uri.test.ts');
  assert.equal({ waits, needs }, { waits: false, needs: [] });
});

runner('selects slow files with --all or by a filter', () => {
  const { files } = testFiles();
  const slow = 'packages/server/test/faults/kill-server.test.ts';
  const isSelected = (args) => {
    const { filters, isAll } = testArguments(args);
    return selectFiles(files, filters, isAll).some(({ name }) => name === slow);
  };
  assert.is(isSelected([]), false);
  assert.is(isSelected(['--all']), true);
  assert.is(isSelected(['kill-server']), true);
  assert.throws(() => testArguments(['--everything']), /--everything/);
});

runner('counts the tests of all suites in a file', async () => {
  const { passed, failed, skipped, problems } = await runSource(`
    test('a', () => {}); test('b', () => {}); test.run();
    const more = suite('more'); more('c', () => {}); more.run();`);
  assert.equal(
    { passed, failed, skipped, problems },
    { passed: 3, failed: 0, skipped: 0, problems: [] },
  );
});

runner('counts a failed test beside a passed one', async () => {
  const result = await assertFails(
    `test('a', () => {}); test('b', () => { throw new Error('no'); }); test.run();`,
    /exit code 1/,
  );
  assert.equal([result.passed, result.failed], [1, 1]);
});

runner('fails a file without tests', () => assertFails('test.run();', /no test in this file/));

runner('fails a file that forgets to run its suite', () =>
  assertFails(`test('a', () => {});`, /no summary/),
);

runner('fails a file whose before hook throws, which uvu hides', () =>
  assertFails(
    `test.before(() => { throw new Error('no'); }); test('a', () => {}); test.run();`,
    /hook failed silently/,
  ),
);

runner('fails a file that exits before its tests are done', () =>
  assertFails(`test('a', () => process.exit(0)); test.run();`, /exit code 1/),
);

runner('fails a file that takes too long', () =>
  assertFails(
    `test('a', () => new Promise(() => setInterval(() => {}, 1000))); test.run();`,
    /timed out after 0.5 s/,
    500,
  ),
);

runner('names what keeps a file alive after its tests', () =>
  assertFails(
    `import { connect, createServer } from 'node:net';
    const server = createServer().listen(0, '127.0.0.1', () => connect(server.address().port));
    test('a', () => { setTimeout(() => {}, 1e6); }); test.run();`,
    /timed out after 2 s, open: (?=.*timer in \d+ ms)(?=.*tcp 127\.0\.0\.1:\d+ to 127\.0\.0\.1:\d+)/,
    2000,
  ),
);

runner('fails a file that skips without giving a reason', () =>
  assertFails(`test('a', () => {}); test.skip('b', () => {}); test.run();`, /1 skipped, 0/),
);

runner('keeps the reasons of skipped tests', async () => {
  const { failed, skipped, reasons } = await runSource(
    `console.log('skip: no such server'); test.skip('b', () => {}); test('a', () => {}); test.run();`,
  );
  assert.equal(
    { failed, skipped, reasons },
    { failed: 0, skipped: 1, reasons: ['no such server'] },
  );
});

runner('keeps the names of failed tests', async () => {
  const { failed, failedTests } = await runSource(
    `test('it is "so"', () => { throw new Error('no'); }); test('a', () => {}); test.run();`,
  );
  assert.equal({ failed, failedTests }, { failed: 1, failedTests: ['"it is "so""'] });
});

runner('kills and reports a child that outlives its file', () =>
  assertFails(
    `${sleeper} { stdio: 'inherit' }).unref(); test('a', () => {}); test.run();`,
    /left process \d+ running/,
  ),
);

if (process.platform === 'linux') {
  runner('kills and reports a child in its own session', () =>
    assertFails(
      `${sleeper} { detached: true, stdio: 'ignore' }).unref(); test('a', () => {}); test.run();`,
      /left process \d+ running/,
    ),
  );
}

runner.run();
