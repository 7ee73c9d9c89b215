// npm test [-- --all | FILTER...]: installs if needed, builds, checks and tests. With filters (see test.mjs), only
// runs the selected tests. `--all` also installs the vendors' clients. Plain Node, because it starts in a clone without
// node_modules.
import { build } from './lib/build.mjs';
import { runChecks } from './lib/checks.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { testArguments } from './lib/test-arguments.mjs';
import { runTests, summaryLine } from './lib/tests.mjs';
import { ensureVendorClients } from './lib/vendor-clients.mjs';

const asked = testArguments();
const sums = await verify();
process.exitCode = sums.failed > 0 ? 1 : 0;
console.log(summaryLine(sums));

/** Returns the sums of checks and tests. A failed step that later ones need counts as one failure. */
async function verify() {
  const steps = {
    install: ensureInstalled,
    ...(asked.isAll && { 'vendor clients': ensureVendorClients }),
    build,
  };
  for (const [name, step] of Object.entries(steps)) {
    announce(name);
    if ((await step()) !== 0) {
      console.error(`FAILED  ${name}`);
      return { passed: 0, failed: 1, skipped: 0 };
    }
  }
  const checks = asked.filters.length === 0 ? await check() : { passed: 0, failed: 0 };
  announce('tests');
  const tests = await runTests(asked);
  return {
    passed: checks.passed + tests.passed,
    failed: checks.failed + tests.failed,
    skipped: tests.skipped,
  };
}

function check() {
  announce('checks');
  return runChecks();
}

function announce(step) {
  console.log(`\n== ${step}, ${Math.round(performance.now() / 1000)} s after the start`);
}
