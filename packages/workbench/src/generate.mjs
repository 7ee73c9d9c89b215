// npm run generate: writes all checked-in generated files in dependency order.
import { build } from './lib/build.mjs';
import { runNpm } from './lib/run.mjs';

const npm = async (...args) => (await runNpm(['run', '--silent', ...args])).code;

/** The console and the command line may use client methods that are generated first. */
const steps = [
  () => build({ only: '@trove/operations' }),
  () => npm('openapi', '-w', '@trove/operations'),
  () => npm('generate', '-w', '@trove/client'),
  () => build(),
  () => npm('docs', '-w', '@trove/server'),
  () => npm('docs', '-w', '@trove/cli'),
  () => npm('sources', '-w', 'trove'),
  () => npm('api:update'),
];

for (const step of steps) {
  process.exitCode = await step();
  if (process.exitCode !== 0) break;
}
