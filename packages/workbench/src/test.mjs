// Builds and runs tests: node packages/workbench/src/test.mjs [--all | FOLDER | PART OF A FILE NAME]...
import { build } from './lib/build.mjs';
import { testArguments } from './lib/test-arguments.mjs';
import { runTests, summaryLine } from './lib/tests.mjs';

const asked = testArguments();
const isBuilt = (await build({ quiet: true })) === 0;
const sums = isBuilt ? await runTests(asked) : { passed: 0, failed: 1, skipped: 0 };
process.exitCode = sums.failed > 0 ? 1 : 0;
console.log(summaryLine(sums));
