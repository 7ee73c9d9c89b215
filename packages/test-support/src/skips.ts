import { spawnSync } from 'node:child_process';

import type { Test } from 'uvu';

/**
 * Returns the reason to skip tests without a program, or null if it is installed. Throws where CI requires every
 * program.
 */
export function missingProgram(
  command: string,
  name = command,
  versionOption = '--version',
): string | null {
  if (spawnSync(command, [versionOption]).status === 0) return null;
  return skipReason(`${name} is not installed`);
}

/** Returns the reason. Throws where CI requires every program. */
export function skipReason(reason: string): string {
  if (process.env['TROVE_TEST_REQUIRE_ALL'] === '1') {
    throw new Error(`TROVE_TEST_REQUIRE_ALL=1 forbids skipped tests, but ${reason}.`);
  }
  return reason;
}

/** Returns `test`, or a function that skips each test and prints the reason. */
export function testUnless<T>(
  reason: string | null,
  test: Test<T>,
): (title: string, run: Parameters<Test<T>>[1]) => void {
  if (reason === null) return test;
  return (title, run) => {
    console.log(`skip: ${title}: ${reason}`);
    test.skip(title, run);
  };
}
