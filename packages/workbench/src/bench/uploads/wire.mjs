import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * A proxy between a client and a server on this machine that counts the client's bytes: `{ endpoint, counted(), stop()
 * }`. `counted` returns the bytes since the last call.
 */
export async function countingWire(endpoint) {
  const { port } = new URL(endpoint);
  const clients = new Set();
  let bytes = 0;
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    clients.add(client);
    const end = () => {
      clients.delete(client);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
    client.on('data', (piece) => (bytes += piece.length));
    client.pipe(upstream).pipe(client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    endpoint: `http://127.0.0.1:${server.address().port}`,
    counted() {
      const seen = bytes;
      bytes = 0;
      return seen;
    },
    async stop() {
      const closed = once(server.close(), 'close');
      for (const client of clients) client.destroy();
      await closed;
    },
  };
}
