import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const lowestPort = 15_000;
/** The first ephemeral port where the system does not tell it. */
const defaultEphemeralPort = 32_768;
const loopback = '127.0.0.1';

/**
 * Returns a loopback port without a listener, below the ephemeral ports of the system. No other process gets it by chance
 * before its user listens there.
 */
export async function freePort(): Promise<number> {
  const count = firstEphemeralPort() - lowestPort;
  for (;;) {
    const port = count > 0 ? lowestPort + Math.floor(Math.random() * count) : 0;
    const free = await probe(port);
    if (free !== undefined) return free;
  }
}

function firstEphemeralPort(): number {
  if (process.platform !== 'linux') return defaultEphemeralPort;
  return Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10);
}

/** Returns the port after listening on it once, or undefined when it is in use. */
function probe(port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', (error) => {
      if ('code' in error && error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(port, loopback, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}
