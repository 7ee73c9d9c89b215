// Runs tests: node scripts/test.mjs [FOLDER | PART OF A FILE NAME]...
import { runTests, summaryLine } from './lib/tests.mjs';

const sums = await runTests(process.argv.slice(2));
process.exitCode = sums.failed > 0 ? 1 : 0;
console.log(summaryLine(sums));
