import { connect, createServer, type Socket } from 'node:net';

/** Stands between clients and a real server on this machine, and ends connections when a test says. */
export interface TcpProxy {
  readonly port: number;
  /** How many have come from the server. */
  readonly bytes: number;
  /** Whether what a client says, which the server then never hears, ends its connection. */
  endsAt: (said: string) => boolean;
  /** Gets what the server says. */
  hears: (said: string) => void;
  /** Ends all connections; returns how many there were. */
  cut(): number;
  stop(): Promise<void>;
}

export async function startTcpProxy(to: number): Promise<TcpProxy> {
  const clients = new Set<Socket>();
  let bytes = 0;
  const server = createServer((client) => {
    const upstream = connect(to, '127.0.0.1');
    const end = (): void => {
      clients.delete(client);
      client.destroy();
      upstream.destroy();
    };
    clients.add(client);
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
    client.on('data', (piece: Buffer) => {
      if (proxy.endsAt(piece.toString('latin1'))) end();
      else upstream.write(piece);
    });
    upstream.on('data', (piece: Buffer) => {
      bytes += piece.length;
      proxy.hears(piece.toString('latin1'));
      client.write(piece);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It does not listen');
  const proxy: TcpProxy = {
    port: address.port,
    get bytes() {
      return bytes;
    },
    endsAt: () => false,
    hears: () => undefined,
    cut: () => {
      const { size } = clients;
      for (const client of clients) client.destroy();
      return size;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        proxy.cut();
      }),
  };
  return proxy;
}
