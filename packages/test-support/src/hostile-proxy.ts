import type { Socket } from 'node:net';
import { startRelay } from './relay.js';

/** How the proxy answers: passes the reply on, stays silent, or repeats a piece without end. */
export type ReplyMode = 'pass' | 'silence' | { readonly endless: Buffer };

/** A proxy between clients and a real server on this machine that replaces replies. */
export interface HostileProxy {
  readonly port: number;
  readonly connections: number;
  /** Resolves at the first silent reply. */
  readonly silent: Promise<void>;
  /** Receives the client's data and returns how to reply. */
  replyMode: (data: string) => ReplyMode;
  stop(): Promise<void>;
}

export async function startHostileProxy(to: number): Promise<HostileProxy> {
  const hostile = new WeakSet<Socket>();
  let resolveSilent = (): void => undefined;
  const silent = new Promise<void>((resolve) => (resolveSilent = resolve));
  const relay = await startRelay(to, (piece, { client, upstream }) => {
    const answer = hostile.has(client) ? 'silence' : proxy.replyMode(piece.toString('latin1'));
    if (answer === 'pass') return void upstream.write(piece);
    hostile.add(client);
    if (answer === 'silence') resolveSilent();
    else flood(client, answer.endless);
  });
  const proxy: HostileProxy = {
    port: relay.port,
    get connections() {
      return relay.clients.size;
    },
    silent,
    replyMode: () => 'pass',
    stop: () => relay.stop(),
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
