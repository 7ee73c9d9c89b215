import { Failure } from '@trove/commands';
import { main } from './main.js';
import { reportError } from './report.js';
import { errorCode } from './session/system-errors.js';
import { askOn } from './terminal/ask.js';
import { sink } from './terminal/output.js';

const { stdout, stderr, env, argv } = process;
// A reader that ends has seen enough: `trove grep x | head`.
stderr.on('error', (error) => process.exit(errorCode(error) === 'EPIPE' ? 0 : 1));
stdout.on('error', (error) => {
  const code = errorCode(error);
  if (code === 'EPIPE') process.exit(0);
  void endUnwritten(code);
});

/** A disk is full: `trove export x > file`. */
async function endUnwritten(code: string): Promise<void> {
  const failure = new Failure('output_unwritable', `cannot write the output (${code})`);
  await reportError(sink(stderr, env), failure, argv.includes('--json'));
  process.exit(1);
}

process.exitCode = await main(argv.slice(2), {
  out: sink(stdout, env),
  err: sink(stderr, env),
  env,
  cwd: process.cwd(),
  ask: askOn(process),
});
