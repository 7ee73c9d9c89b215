// Runs a second gateway for the store of `ceph-gateway.mjs` until standard input ends. Tests may kill it, because it
// has no other clients. CONFIGURATION comes from the first gateway. Prints its endpoint when it answers. A line on
// standard input kills and restarts it, and it prints the endpoint again.
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

import { freePort } from '@trove/test-support/free-port.js';
import { Daemons } from './daemons.mjs';

const startTimeoutMs = 120_000;
const [configuration] = process.argv.slice(2);

const daemons = new Daemons();
const commands = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
try {
  await Promise.race([serve(), daemons.ended]);
} finally {
  await daemons.stop();
}
process.exit();

async function serve() {
  const port = await freePort();
  for (;;) {
    const gateway = await started(port);
    console.log(`http://127.0.0.1:${port}`);
    if ((await commands.next()).done) return;
    await daemons.kill(gateway);
  }
}

async function started(port) {
  const own = ['admin-socket', 'pid-file', 'log-file'].map((name) => `--${name}=`);
  // Without this, many answers wait 40 ms for an acknowledgement.
  const frontend = `beast endpoint=127.0.0.1:${port} tcp_nodelay=1`;
  const args = ['-c', configuration, '-f', '-n', 'client.admin', ...own];
  const gateway = daemons.start('radosgw', [...args, '--rgw-frontends', frontend]);
  const deadline = Date.now() + startTimeoutMs;
  while ((await fetch(`http://127.0.0.1:${port}/`).catch(() => null)) === null) {
    if (Date.now() > deadline || gateway.child.exitCode !== null)
      throw new Error('The second Ceph gateway does not answer.');
    await delay(50);
  }
  return gateway;
}
