import type { Connector, Entry } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { collect } from '@trove/test-support/collect.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';

export { plugin };

export type Opened = Required<Pick<Connector, 'list' | 'read' | 'browse' | 'stat' | 'check'>>;

export function open(target: string, config: object): Opened {
  const connector = plugin.create(
    connectorContext({ config: configFor(plugin, config), target, http: connectorHttp() }),
  );
  if (connector instanceof Promise) throw new Error('It is made at once.');
  const { list, read, browse, stat, check } = connector;
  if (!read || !browse || !stat || !check) throw new Error('The connector lacks a method.');
  return { list, read, browse, stat, check };
}

export function calm(): AbortSignal {
  return new AbortController().signal;
}

export async function listed({ list }: Pick<Connector, 'list'>): Promise<Entry[]> {
  const entries = await collect(list({ signal: calm() }));
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

export async function textAt(
  { read }: Pick<Opened, 'read'>,
  path: string,
  range?: { readonly start: number; readonly end?: number },
): Promise<string> {
  const { bytes } = await read(path, { signal: calm(), ...(range === undefined ? {} : { range }) });
  const pieces = bytes instanceof Uint8Array ? [bytes] : await collect(bytes);
  return Buffer.concat(pieces).toString();
}
