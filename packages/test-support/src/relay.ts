import { connect, createServer, type Socket } from 'node:net';

import { listen } from './listen.js';

/** One connection through a relay. */
export interface RelayedConnection {
  readonly client: Socket;
  readonly upstream: Socket;
  /** Ends both sides. */
  end(): void;
}

export interface Relay {
  readonly port: number;
  /** Open connections of clients. */
  readonly clients: ReadonlySet<Socket>;
  /** Ends all connections and returns their number. */
  cut(): number;
  stop(): Promise<void>;
}

/** Starts a relay between clients and a real server on this machine. `onClientData` decides whether to pass data on. */
export async function startRelay(
  to: number,
  onClientData: (piece: Buffer, relayed: RelayedConnection) => void,
  onServerData: (piece: Buffer) => void = () => undefined,
): Promise<Relay> {
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(to, '127.0.0.1');
    const end = (): void => {
      clients.delete(client);
      client.destroy();
      upstream.destroy();
    };
    clients.add(client);
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
    client.on('data', (piece: Buffer) => onClientData(piece, { client, upstream, end }));
    upstream.on('data', (piece: Buffer) => {
      onServerData(piece);
      client.write(piece);
    });
  });
  const { port, stop } = await listen(server);
  const cut = (): number => {
    const { size } = clients;
    for (const client of clients) client.destroy();
    return size;
  };
  return {
    port,
    clients,
    cut,
    stop,
  };
}
