import { main } from './main.js';
import { askOn } from './terminal/ask.js';
import { sink } from './terminal/output.js';

const { stdout, stderr, env } = process;
for (const stream of [stdout, stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader has seen enough: `trove grep x | head`.
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

process.exitCode = await main(process.argv.slice(2), {
  out: sink(stdout, env),
  err: sink(stderr, env),
  env,
  cwd: process.cwd(),
  ask: askOn(process),
});
