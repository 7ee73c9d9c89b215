import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Connector, Entry } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { collect } from '@trove/test-support/collect.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import type { ApacheDav } from '@trove/test-support/dav-server.js';
import plugin from '../src/index.js';

type Opened = Required<Pick<Connector, 'list' | 'read' | 'browse' | 'stat' | 'check'>>;

export function calm(): AbortSignal {
  return new AbortController().signal;
}

/** Opens a source at an address. */
export function open(url: string, config: object = {}): Opened {
  const whole = configFor(plugin, { url, ...config });
  const secrets = new Map([
    ['password', whole.password],
    ['token', whole.token],
  ]);
  const connector = plugin.create(
    connectorContext({
      config: whole,
      target: 'webdav://nas',
      // The engine returns no other settings, unless they are references.
      credentials: {
        login: '',
        get: async (name) => secrets.get(name),
        refresh: async (_name, renew) => renew(''),
      },
      http: connectorHttp(),
    }),
  );
  if (connector instanceof Promise) throw new Error('It is made at once.');
  const { list, read, browse, stat, check } = connector;
  if (!read || !browse || !stat || !check) throw new Error('The connector lacks a method.');
  return { list, read, browse, stat, check };
}

/** A folder of the server that only one test uses. */
export class DavFolder {
  readonly name = `for ${randomUUID()}`;
  readonly #server: ApacheDav;

  constructor(server: ApacheDav) {
    this.#server = server;
  }

  get url(): string {
    return `${this.#server.origin}/${encodeURIComponent(this.name)}`;
  }

  get path(): string {
    return join(this.#server.folder, this.name);
  }

  get login(): { user: string; password: string } {
    return { user: 'ada', password: this.#server.password };
  }

  async put(path: string, content: string | Uint8Array): Promise<void> {
    const file = join(this.path, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.path, path));
  }

  open(config: object = {}): Opened {
    return open(this.url, { ...this.login, ...config });
  }
}

/** Lists a source by path. `warnings` receives the warnings. */
export async function listed(
  { list }: Pick<Connector, 'list'>,
  warnings: string[] = [],
): Promise<Entry[]> {
  const warn = (sentence: string): void => void warnings.push(sentence);
  const entries = await collect(list({ signal: calm(), warn }));
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
