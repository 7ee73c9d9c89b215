import { EventEmitter } from 'node:events';
import type { ImapFlow } from 'imapflow';

const mebibyte = 1024 * 1024;
/** Nothing larger is asked for than an attachment; before anybody has logged in, servers only greet. */
const maxResponseBytes = { beforeLogin: mebibyte, afterLogin: 112 * mebibyte } as const;
const pollMs = 50;

/** Closes the connection to a server whose answer does not end: the client holds all of it, a gigabyte of a literal. */
export function limitResponseSize(client: ImapFlow): void {
  // The client has no limit of its own, and tells nobody what it has received of an answer.
  const stream: unknown = Reflect.get(client, 'streamer');
  if (!(stream instanceof EventEmitter)) throw new Error('The mail client has no stream.');
  const received = (): number => Number(Reflect.get(stream, 'readBytesCounter'));
  let whole = received();
  stream.on('readable', () => (whole = received()));
  const timer = setInterval(() => {
    const most = client.usable ? maxResponseBytes.afterLogin : maxResponseBytes.beforeLogin;
    if (received() - whole > most) client.close();
  }, pollMs).unref();
  client.once('close', () => clearInterval(timer));
}
