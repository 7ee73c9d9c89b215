import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const LOWEST = 15_000;
/** Where systems begin to give ports to whoever asks for any. */
const GIVEN_FROM = 32_768;
const LOOPBACK = '127.0.0.1';

/**
 * A loopback port on which nobody listens, below those that the system gives away: nobody comes by it by chance before its
 * user listens there.
 */
export async function freePort() {
  const count = givenFrom() - LOWEST;
  for (;;) {
    const port = count > 0 ? LOWEST + Math.floor(Math.random() * count) : 0;
    const free = await listened(port);
    if (free !== undefined) return free;
  }
}

function givenFrom() {
  if (process.platform !== 'linux') return GIVEN_FROM;
  return Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10);
}

/** The port, once it was listened on; undefined when somebody else does. */
function listened(port) {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', (error) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    probe.listen(port, LOOPBACK, () => {
      const { port: found } = probe.address();
      probe.close(() => resolve(found));
    });
  });
}
