import { connect } from 'node:net';
import type { Host } from '../../src/host.js';

/** Sends bytes as they are and returns everything that comes back until the server closes, or the time is over. */
export function sendRaw(host: Host, request: string | Uint8Array, waitMs = 5000): Promise<string> {
  const { hostname, port } = new URL(host.url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let answer = '';
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(finish, waitMs);
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (answer += text));
    socket.on('error', finish);
    socket.on('close', finish);
    socket.write(request);
  });
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}
