import { request, type IncomingMessage, type ServerResponse } from 'node:http';

import { listen } from './listen.js';

/**
 * What a proxy does with a request: pass it on, answer with an error, or break off after some bytes of the response.
 */
export type RequestFault =
  | 'pass'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | { readonly breakAfter: number };

/** A proxy between a client and a real server that injects faults into requests. */
export interface FaultyProxy {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Paths with their queries in order of arrival. */
  readonly paths: readonly string[];
  faultOf: (path: string) => RequestFault;
  stop(): Promise<void>;
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const paths: string[] = [];
  const server = await listen((incoming, answer) => {
    const { url = '/' } = incoming;
    paths.push(url);
    const fault = proxy.faultOf(url);
    if (fault === 'pass') pass(target, incoming, answer, Infinity);
    else if ('breakAfter' in fault) pass(target, incoming, answer, fault.breakAfter);
    else answer.writeHead(fault.status, fault.headers ?? {}).end(fault.body ?? '');
  });
  const proxy: FaultyProxy = {
    url: server.origin,
    paths,
    faultOf: () => 'pass',
    stop: () => server.stop(),
  };
  return proxy;
}

/** Keeps the client's `Host` header, because signatures cover it. */
function pass(
  target: string,
  incoming: IncomingMessage,
  answer: ServerResponse,
  bytes: number,
): void {
  const { method, headers, url = '/' } = incoming;
  const passedOn = request(`${target}${url}`, { method, headers }, (from) => {
    let left = bytes;
    answer.writeHead(from.statusCode ?? 502, from.headers);
    from.on('data', (piece: Buffer) => {
      left -= piece.length;
      if (left >= 0) answer.write(piece);
      else answer.destroy();
    });
    from.on('end', () => answer.end());
  });
  passedOn.on('error', () => answer.destroy());
  incoming.pipe(passedOn);
}
