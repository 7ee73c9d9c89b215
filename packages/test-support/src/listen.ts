import { createServer, type RequestListener } from 'node:http';
import type { Server, Socket } from 'node:net';

/** A server on a free port of this machine. */
export interface TestServer extends AsyncDisposable {
  readonly port: number;
  /** `127.0.0.1:PORT` */
  readonly host: string;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** Ends all connections and resolves when the server is closed. */
  stop(): Promise<void>;
}

/** Starts a server on a free port of this machine. A function becomes the handler of an HTTP server. */
export async function listen(handler: Server | RequestListener): Promise<TestServer> {
  const server = typeof handler === 'function' ? createServer(handler) : handler;
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    // A client may disconnect at any time.
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
  const host = `127.0.0.1:${address.port}`;
  return { port: address.port, host, origin: `http://${host}`, stop, [Symbol.asyncDispose]: stop };
}

/** Passes the host of an HTTP server to `use` and stops the server afterwards. */
export async function withServer(
  answer: RequestListener,
  use: (host: string) => Promise<void>,
): Promise<void> {
  await using server = await listen(answer);
  await use(server.host);
}
