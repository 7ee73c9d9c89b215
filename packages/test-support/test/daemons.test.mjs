import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { withTimeout, waitUntil } from '@trove/test-support/waiting.js';

const daemons = suite('daemons beside a test');
const module = fileURLToPath(new URL('../programs/daemons.mjs', import.meta.url));

/** A program with a daemon that has started another process. Prints their ids. */
const programText = `
  import { Daemons } from ${JSON.stringify(module)};
  const daemons = new Daemons();
  const { child } = daemons.start('sh', ['-c', 'sleep 1000 & echo $!; wait'], ['ignore', 'pipe', 'ignore']);
  child.stdout.once('data', (id) => console.log(JSON.stringify([child.pid, Number(id)])));
  await daemons.ended;
  await daemons.stop();
  try { daemons.start('true', []); } catch (error) { console.log(error.message); }
  process.exit();
`;

async function started() {
  const program = spawn(process.execPath, ['--input-type=module', '--eval', programText], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(program, 'exit');
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  const { value } = await withTimeout(lines.next(), 'the daemon to start');
  return { program, exited, lines, ids: JSON.parse(value) };
}

function lives(id) {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

daemons('end with their processes when standard input ends, and start no more', async () => {
  const { program, exited, lines, ids } = await started();
  assert.equal(ids.map(lives), [true, true]);
  program.stdin.end();
  await withTimeout(exited, 'the program to end');
  assert.is((await lines.next()).value, 'true cannot start after the end.');
  await waitUntil(() => !ids.some(lives), 'the processes to end');
});

daemons('end when the program is killed', async () => {
  if (process.platform !== 'linux') return;
  const { program, exited, ids } = await started();
  const [daemon, below] = ids;
  program.kill('SIGKILL');
  await withTimeout(exited, 'the program to end');
  await waitUntil(() => !lives(daemon), 'the daemon to end');
  // A shell leaves its child behind, unlike a server.
  process.kill(below);
});

daemons.run();
