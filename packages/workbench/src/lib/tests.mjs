import { compileTests } from './compiled-tests.mjs';
import { progress } from './progress.mjs';
import { mapLimited } from './run.mjs';
import { runTestFile } from './test-file-run.mjs';
import { selectFiles, testFiles } from './test-files.mjs';
import { withServices } from './test-services.mjs';

const defaultConcurrency = 3;
/** The number of mostly waiting files that run beside the others. Together they keep two processors busy. */
const waitingAtOnce = 2;

/**
 * Runs the test files that the filters select, or all without filters, slow ones only with `isAll`. Prints the results
 * and returns the sums `{ passed, failed, skipped }`.
 */
export async function runTests({ filters, isAll }) {
  const { files, without } = testFiles();
  const selected = selectFiles(files, filters, isAll);
  const sums = { passed: 0, failed: 0, skipped: 0 };
  if (selected.length === 0) {
    console.error(`no test file matches ${filters.join(' ') || 'test/**/*.test.ts'}`);
    sums.failed++;
  }
  for (const folder of filters.length === 0 ? without : []) {
    console.error(`FAILED  ${folder}: no test file in ${folder}/test`);
    sums.failed++;
  }
  await compileTests(selected.map(({ path }) => path));
  const skips = [];
  const failures = [];
  let done = 0;
  const run = async (file) => {
    const result = await runTestFile(file);
    done++;
    print(progress(done, selected.length), file, result);
    for (const key of Object.keys(sums)) sums[key] += result[key];
    skips.push(...result.reasons.map((reason) => `SKIPPED ${file.name}: ${reason}`));
    failures.push(...failuresOf(result).map((failure) => `FAILED  ${file.name}: ${failure}`));
  };
  await withServices(selected, (ready) =>
    runBeside(selected, async (file) => {
      await ready(file);
      await run(file);
    }),
  );
  // Repeated at the end, where they are easy to find.
  for (const lines of [skips, failures])
    if (lines.length > 0) console.log(`\n${lines.join('\n')}\n`);
  const left = files.length - selected.length;
  if (filters.length === 0 && left > 0)
    console.log(`\n${left} slow test files were not run: npm test -- --all runs them too.`);
  return sums;
}

/** Mostly waiting files run beside the rest, because they would otherwise block slots of the processors. */
async function runBeside(files, run) {
  await Promise.all([
    mapLimited(
      files.filter(({ waits }) => !waits),
      concurrency(),
      run,
    ),
    mapLimited(
      files.filter(({ waits }) => waits),
      waitingAtOnce,
      run,
    ),
  ]);
}

/** Returns the last line of a test run. */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function concurrency() {
  const text = process.env.TROVE_TEST_CONCURRENCY ?? String(defaultConcurrency);
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) {
    throw new Error(`TROVE_TEST_CONCURRENCY must be a whole number from 1, not "${text}"`);
  }
  return value;
}

/** Returns the failures, one per line. */
function failuresOf({ failed, failedTests, problems }) {
  return failed === 0 ? [] : [...failedTests, ...problems];
}

function print(position, file, { output, passed, failed, skipped, problems, seconds }) {
  const time = `${seconds.toFixed(1)} s`;
  if (failed === 0) {
    console.log(
      `${position} ok      ${file.name}  ${summaryLine({ passed, failed, skipped })}  ${time}`,
    );
    return;
  }
  const details = problems.map((problem) => `        ${problem}\n`).join('');
  console.log(
    `${position} FAILED  ${file.name}  ${summaryLine({ passed, failed, skipped })}  ${time}`,
  );
  console.log(`${details}${output.trimEnd()}\n--- end of ${file.name}\n`);
}
