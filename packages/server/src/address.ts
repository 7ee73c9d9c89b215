import { createServer, type Server } from 'node:http';
import { TroveError } from '@trove/core';
import type { HostAddress } from './config/bind.js';

/**
 * Checks that the server can listen on an address. Called before an engine is opened. Throws
 * `storage_unavailable`.
 */
export async function checkAddress(bind: HostAddress): Promise<void> {
  const server = createServer();
  await listen(server, bind);
  await close(server, 0);
}

/** Listens on an address. Throws `storage_unavailable` if that fails. */
export function listen(server: Server, { host, port }: HostAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        new TroveError(
          'storage_unavailable',
          `Cannot listen on ${host}:${port}: ${reasonOf(cause)}`,
          {
            cause,
            suggestions: [
              'Stop the program that uses the port, or choose another address with --bind.',
            ],
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

/** Stops listening. Open connections end after their response, or after `graceMs` milliseconds. */
export async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  // Keep-alive connections become idle one after another.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearTimeout(grace);
  clearInterval(idle);
}
