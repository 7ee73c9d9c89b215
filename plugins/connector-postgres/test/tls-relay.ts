import { readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

const fixture = (name: string): string =>
  readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');

/** Signed by itself, for `localhost`. */
export const certificate = fixture('certificate.pem');
const key = fixture('key.pem');

/** Gives a server encryption, with a certificate that nobody knows: asked for it, it agrees, and passes on what comes. */
export async function startTlsRelay(to: {
  readonly host: string;
  readonly port: number;
}): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const relay = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, cert: certificate, key });
      const server = connect(to);
      sockets.add(server);
      for (const each of [secure, server]) each.on('error', () => each.destroy());
      secure.pipe(server).pipe(secure);
    });
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  return {
    port: (relay.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      relay.close();
    },
  };
}
