import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { Connector, Entry } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { collect } from '@trove/test-support/collect.js';
import type { SshServer } from '@trove/test-support/ssh-server.js';
import plugin from '../src/index.js';

export type Opened = Required<
  Pick<Connector, 'list' | 'read' | 'browse' | 'stat' | 'check' | 'close'>
>;

export function calm(): AbortSignal {
  return new AbortController().signal;
}

export function open(target: string, config: object): Opened {
  const connector = plugin.create(connectorContext({ config: configFor(plugin, config), target }));
  if (connector instanceof Promise) throw new Error('It is made at once.');
  const { list, read, browse, stat, check, close } = connector;
  if (!read || !browse || !stat || !check || !close)
    throw new Error('The connector lacks a method.');
  return { list, read, browse, stat, check, close };
}

/** A folder of this machine that only one test uses, as a folder of the server. */
export class RemoteFolder {
  readonly path: string;
  readonly #server: SshServer;
  readonly #opened: Opened[] = [];

  private constructor(server: SshServer, path: string) {
    this.#server = server;
    this.path = path;
  }

  static async make(server: SshServer): Promise<RemoteFolder> {
    return new RemoteFolder(server, await mkdtemp(join(tmpdir(), 'trove-sftp-test-')));
  }

  get target(): string {
    return `sftp://${userInfo().username}@127.0.0.1:${this.#server.port}${this.path}`;
  }

  key(name: string): string {
    return readFileSync(join(this.#server.folder, name), 'utf8').trim();
  }

  get config(): { private_key: string; host_key: string } {
    return { private_key: this.key('user'), host_key: this.key('host_ed25519.pub') };
  }

  async put(path: string, content: string | Uint8Array): Promise<void> {
    const file = join(this.path, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  async removeFile(path: string): Promise<void> {
    await rm(join(this.path, path));
  }

  open(config: object = {}, target = this.target): Opened {
    const opened = open(target, { ...this.config, ...config });
    this.#opened.push(opened);
    return opened;
  }

  async remove(): Promise<void> {
    for (const opened of this.#opened) await opened.close();
    await rm(this.path, { recursive: true, force: true });
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

export async function bytesAt(
  { read }: Pick<Opened, 'read'>,
  path: string,
  range?: { readonly start: number; readonly end?: number },
): Promise<Buffer> {
  const { bytes } = await read(path, { signal: calm(), ...(range === undefined ? {} : { range }) });
  return Buffer.concat(bytes instanceof Uint8Array ? [bytes] : await collect(bytes));
}
