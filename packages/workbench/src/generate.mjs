// npm run generate: writes every generated file that is checked in, each after what it is made from.
import { build } from './lib/build.mjs';
import { runNpm } from './lib/run.mjs';

const npm = async (...args) => (await runNpm(['run', '--silent', ...args])).code;

/** The command line may use calls of the client that are only about to be generated. */
const steps = [
  () => build({ only: '@trove/server' }),
  () => npm('openapi', '-w', '@trove/operations'),
  () => npm('docs', '-w', '@trove/server'),
  () => npm('generate', '-w', '@trove/client'),
  () => build(),
  () => npm('docs', '-w', '@trove/cli'),
  () => npm('api:update'),
];

for (const step of steps) {
  process.exitCode = await step();
  if (process.exitCode !== 0) break;
}
