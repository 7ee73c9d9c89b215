import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { maxWaitMs, waitUntil } from '@trove/test-support/waiting.js';
import type { Host } from '../../src/host.js';

/** Sends raw bytes and returns everything received until the server closes the connection. */
export function sendRaw(host: Host, request: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(host.url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let answer = '';
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(finish, maxWaitMs);
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

/** A connection that sends raw bytes piece by piece. */
export async function openRaw(host: Host) {
  const { hostname, port } = new URL(host.url);
  const socket = connect({ host: hostname, port: Number(port) });
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  socket.on('error', () => {});
  const closed = once(socket, 'close').then(() => received);
  await once(socket, 'connect');
  return {
    send: (bytes: string) => void socket.write(bytes),
    end: () => void socket.end(),
    text: () => received,
    until: (piece: string) => waitUntil(() => received.includes(piece), `${piece} in ${received}`),
    /** Waits for a time limit of the server. */
    idle: (ms: number) => sleep(ms),
    /** Returns everything received until the server closed the connection. */
    closed,
  };
}
