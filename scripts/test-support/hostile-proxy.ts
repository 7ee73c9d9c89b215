import { connect, createServer, type Socket } from 'node:net';

/** What becomes of an answer: it comes, it never comes, or it is this again and again. */
export type Answer = 'pass' | 'silence' | { readonly endless: Buffer };

/** Stands between clients and a real server on this machine, and answers in its place when a test says. */
export interface HostileProxy {
  readonly port: number;
  readonly connections: number;
  /** Resolves when something is answered with silence. */
  readonly silent: Promise<void>;
  /** Gets what a client says. */
  answer: (said: string) => Answer;
  stop(): Promise<void>;
}

export async function startHostileProxy(to: number): Promise<HostileProxy> {
  const clients = new Set<Socket>();
  let noteSilence = (): void => undefined;
  const silent = new Promise<void>((resolve) => (noteSilence = resolve));
  const server = createServer((client) => {
    const upstream = connect(to, '127.0.0.1');
    const end = (): void => {
      clients.delete(client);
      client.destroy();
      upstream.destroy();
    };
    clients.add(client);
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
    let isHostile = false;
    client.on('data', (piece: Buffer) => {
      const answer = isHostile ? 'silence' : proxy.answer(piece.toString('latin1'));
      if (answer === 'pass') return void upstream.write(piece);
      isHostile = true;
      if (answer === 'silence') noteSilence();
      else flood(client, answer.endless);
    });
    upstream.on('data', (piece: Buffer) => client.write(piece));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It does not listen');
  const proxy: HostileProxy = {
    port: address.port,
    get connections() {
      return clients.size;
    },
    silent,
    answer: () => 'pass',
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const client of clients) client.destroy();
      }),
  };
  return proxy;
}

function flood(client: Socket, piece: Buffer): void {
  const pour = (): void => {
    while (!client.destroyed && client.write(piece));
  };
  client.on('drain', pour);
  pour();
}
