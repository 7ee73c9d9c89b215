import { TroveError } from '@trove/core';

/** The address to listen on. Port 0 selects a free port. */
export interface HostAddress {
  readonly host: string;
  readonly port: number;
}

const pattern = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]/]+)):(\d{1,5})$/i;

/**
 * Parses `127.0.0.1:13619`, `localhost:0` or `[::1]:13619`. Throws `config_invalid`, which names the `origin`:
 * an option, a variable or a file.
 */
export function parseBind(text: string, origin?: string): HostAddress {
  const match = pattern.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || port > 65_535) {
    throw new TroveError('config_invalid', `${nameOf(origin)} must be an address and a port`, {
      suggestions: ['Write it as 127.0.0.1:13619, or [::1]:13619.'],
    });
  }
  return { host, port };
}

function nameOf(origin: string | undefined): string {
  if (origin === undefined) return 'server.bind:';
  return origin.startsWith('--') ? `${origin}:` : `server.bind (in ${origin}):`;
}

/** Whether a host name is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    /^(::ffff:)?127(\.\d{1,3}){3}$/.test(name)
  );
}
