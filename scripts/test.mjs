// Builds and runs tests: node scripts/test.mjs [FOLDER | PART OF A FILE NAME]...
import { build } from './lib/build.mjs';
import { runTests, summaryLine } from './lib/tests.mjs';

const isBuilt = (await build({ quiet: true })) === 0;
const sums = isBuilt ? await runTests(process.argv.slice(2)) : { passed: 0, failed: 1, skipped: 0 };
process.exitCode = sums.failed > 0 ? 1 : 0;
console.log(summaryLine(sums));
