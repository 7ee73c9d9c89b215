import { CommandError } from '@trove/commands';
import { main } from './main.js';
import { reportError } from './error-report.js';
import { errorCode } from './session/system-errors.js';
import { confirmOnTerminal } from './terminal/confirmation.js';
import { createSink } from './terminal/output.js';

const { stdout, stderr, env, argv } = process;
// A closed pipe is no error: `trove grep x | head`.
stderr.on('error', (error) => process.exit(errorCode(error) === 'EPIPE' ? 0 : 1));
stdout.on('error', (error) => {
  const code = errorCode(error);
  if (code === 'EPIPE') process.exit(0);
  void exitUnwritable(code);
});

/** Reports a failed write, such as a full disk, and exits with 1. */
async function exitUnwritable(code: string): Promise<void> {
  const failure = new CommandError('output_unwritable', `cannot write the output (${code})`, [
    'Check the free space of the disk.',
  ]);
  await reportError(createSink(stderr, env), failure, argv.includes('--json'));
  process.exit(1);
}

process.exitCode = await main(argv.slice(2), {
  out: createSink(stdout, env),
  err: createSink(stderr, env),
  env,
  cwd: process.cwd(),
  confirm: confirmOnTerminal(process),
});
