// Runs every check. Each can run alone as npm run check:NAME.
import { runChecks } from './lib/checks.mjs';

const { passed, failed } = await runChecks();
console.log(`${passed} checks passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
