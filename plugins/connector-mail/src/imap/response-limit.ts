import { EventEmitter } from 'node:events';
import type { ImapFlow } from 'imapflow';

const mebibyte = 1024 * 1024;
/** The largest response is an attachment. Before the login, the server only sends a greeting. */
const maxResponseBytes = { beforeLogin: mebibyte, afterLogin: 112 * mebibyte } as const;
const pollMs = 50;

/** Closes the connection when a response is too large. The client itself would buffer up to a gigabyte. */
export function limitResponseSize(client: ImapFlow): void {
  // The client has no public counter of received bytes.
  const stream: unknown = Reflect.get(client, 'streamer');
  if (!(stream instanceof EventEmitter)) throw new Error('The mail client has no stream.');
  const receivedBytes = (): number => Number(Reflect.get(stream, 'readBytesCounter'));
  let completedBytes = receivedBytes();
  stream.on('readable', () => (completedBytes = receivedBytes()));
  const timer = setInterval(() => {
    const maxBytes = client.usable ? maxResponseBytes.afterLogin : maxResponseBytes.beforeLogin;
    if (receivedBytes() - completedBytes > maxBytes) client.close();
  }, pollMs).unref();
  client.once('close', () => clearInterval(timer));
}
