import { createServer, type Server } from 'node:http';
import { TroveError } from '@trove/core';
import type { HostAddress } from './config/bind.js';

/** Throws `storage_unavailable` when the address is not available: checked before an engine is opened for it. */
export async function checkAddress(bind: HostAddress): Promise<void> {
  const server = createServer();
  await listen(server, bind);
  await close(server, 0);
}

/** Throws `storage_unavailable` when the address is not available. */
export function listen(server: Server, { host, port }: HostAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        new TroveError(
          'storage_unavailable',
          `Cannot listen on ${host}:${port}: ${reasonOf(cause)}`,
          {
            cause,
            suggestions: ['Stop what uses the address, or name another one with --bind.'],
          },
        ),
      );
    });
    server.listen({ host, port }, resolve);
  });
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return code === 'EADDRINUSE' ? 'the port is in use' : message;
}

/** Ends open connections once they are answered, or after a grace period in milliseconds. */
export async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  // Keep-alive connections become idle one by one.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearTimeout(grace);
  clearInterval(idle);
}
