import { createServer, type RequestListener } from 'node:http';

/** A real HTTP server on the loopback address while `use` runs; its host and port. */
export async function withServer(
  handle: RequestListener,
  use: (host: string) => Promise<void>,
): Promise<void> {
  const server = createServer(handle);
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const address = server.address();
  try {
    await use(`127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`);
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}
