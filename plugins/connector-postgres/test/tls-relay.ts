import { readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { listen } from '@trove/test-support/listen.js';

const fixture = (name: string): string =>
  readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');

/** A self-signed certificate for `localhost`. */
export const certificate = fixture('certificate.pem');
const key = fixture('key.pem');

/** Adds TLS with a self-signed certificate to a server. Accepts the TLS request and relays all data. */
export async function startTlsRelay(to: {
  readonly host: string;
  readonly port: number;
}): Promise<{ readonly port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const relay = createServer((socket) => {
    socket.once('data', () => {
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, cert: certificate, key });
      const server = connect(to);
      sockets.add(server);
      for (const each of [secure, server]) each.on('error', () => each.destroy());
      secure.pipe(server).pipe(secure);
    });
  });
  const { port, stop } = await listen(relay);
  return {
    port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return stop();
    },
  };
}
