import { connect, createServer, type Socket } from 'node:net';
import { listen } from '@trove/test-support/listen.js';

/** Forwards bytes to a local port. Can stop forwarding without closing connections, like a dead network. */
export async function startProxy(target: number) {
  const sockets = new Set<Socket>();
  let silent = false;
  const server = createServer((incoming) => {
    const outgoing = connect({ host: '127.0.0.1', port: target });
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.on('data', (bytes) => void other.write(bytes));
      if (silent) socket.pause();
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  const { port, stop } = await listen(server);
  return {
    port,
    hold: () => {
      silent = true;
      for (const socket of sockets) socket.pause();
    },
    release: () => {
      silent = false;
      for (const socket of sockets) socket.resume();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await stop();
    },
  };
}
