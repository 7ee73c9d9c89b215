import { parse } from 'smol-toml';

import { UsageError } from '@trove/commands';
import { isLoopback } from '../session/endpoint.js';
import { readFileIfAny } from '../session/system-errors.js';

/** An address to listen on, and the URL that reaches it. */
export interface ListenAddress {
  readonly bind: string;
  readonly endpoint: string;
}

/** Parses `HOST:PORT`. Throws a UsageError for other texts and for port 0, which cannot be found again. */
export function parseBind(text: string): ListenAddress {
  const match = /^(\[[0-9a-f:]+\]|[^:[\]/\s]+):(\d{1,5})$/i.exec(text);
  const [, host = '', port = ''] = match ?? [];
  if (match === null || Number(port) < 1 || Number(port) > 65_535) {
    throw new UsageError(`"${text}" is not an address to listen on`, [
      'Write HOST:PORT, such as 127.0.0.1:13619.',
    ]);
  }
  return { bind: text, endpoint: `http://${toReachableHost(host)}:${port}` };
}

/** Reads `[server] bind` from a server.toml. Ignores errors, because the server reports them when it starts. */
export function readBind(path: string): string | undefined {
  try {
    const server = parse(readFileIfAny(path) ?? '')['server'];
    const bind = typeof server === 'object' && 'bind' in server ? server.bind : undefined;
    return typeof bind === 'string' ? bind : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the local address of an endpoint. */
export function bindOf(endpoint: string): ListenAddress {
  const url = new URL(endpoint);
  if (!isLoopback(endpoint) || url.protocol !== 'http:') {
    throw new UsageError(`the endpoint ${endpoint} is not on this machine`, [
      'Name an address: trove serve start --bind 127.0.0.1:13619',
    ]);
  }
  return { bind: `${url.hostname}:${url.port || '80'}`, endpoint: url.origin };
}

function toReachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '[::]' ? '[::1]' : host;
}
