import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const lowestPort = 15_000;
/** The first ephemeral port, assumed where the system does not report it. */
const defaultEphemeralPort = 32_768;
const loopback = '127.0.0.1';

/**
 * Returns a loopback port without a listener, below the system's ephemeral ports. No other process gets it by chance
 * before its user listens there.
 */
export async function freePort() {
  const count = firstEphemeralPort() - lowestPort;
  for (;;) {
    const port = count > 0 ? lowestPort + Math.floor(Math.random() * count) : 0;
    const free = await probe(port);
    if (free !== undefined) return free;
  }
}

function firstEphemeralPort() {
  if (process.platform !== 'linux') return defaultEphemeralPort;
  return Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10);
}

/** Returns the port after listening on it once, or undefined when it is in use. */
function probe(port) {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', (error) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(port, loopback, () => {
      const { port: bound } = server.address();
      server.close(() => resolve(bound));
    });
  });
}
