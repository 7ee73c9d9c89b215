import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  formatUri,
  type Change,
  type Connector,
  type Entry,
  type RecordsOptions,
  type SourceRecord,
} from '@trove/core';
import { connectorContext } from '@trove/testkit';

import { collect } from '@trove/test-support/collect.js';
import { withFixture } from '@trove/test-support/with-fixture.js';
import { mbox as plugin } from '../src/index.js';

export { plugin };

/** A folder of mail in the formats of mail programs. */
export class World {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'trove mail ')));
  readonly #open: Connector[] = [];

  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(this.path, path)), { recursive: true });
    writeFileSync(join(this.path, path), content);
  }

  maildir(path: string, files: Readonly<Record<string, string>> = {}): void {
    for (const folder of ['cur', 'new', 'tmp'])
      mkdirSync(join(this.path, path, folder), { recursive: true });
    for (const [name, content] of Object.entries(files)) this.write(join(path, name), content);
  }

  target(path = ''): string {
    return formatUri({ scheme: 'mbox', authority: 'local', path: join(this.path, path) });
  }

  connector(
    config: { folders?: string[]; attachments?: boolean } = {},
    path = '',
    deniedRoots: string[] = [],
  ): Connector {
    const context = connectorContext({
      config: { folders: [], attachments: true, ...config },
      target: this.target(path),
      deniedRoots,
      cacheFolder: join(this.path, '.kept'),
    });
    const created = plugin.create(context);
    if (created instanceof Promise) throw new Error('the connector was created asynchronously');
    this.#open.push(created);
    return created;
  }

  async remove(): Promise<void> {
    for (const connector of this.#open) await connector.close?.();
    rmSync(this.path, { recursive: true, force: true });
  }
}

export const inWorld = withFixture(() => new World());

export function calm(): AbortSignal {
  return new AbortController().signal;
}

export interface Written {
  readonly id?: string;
  readonly subject?: string;
  readonly from?: string;
  readonly date?: string;
  readonly body?: string;
  readonly headers?: readonly string[];
}

/** Returns a message with plain text. */
export function message({
  id = 'one@example.org',
  subject = 'Hello',
  from = 'Ada Lovelace <ada@example.org>',
  date = 'Thu, 29 Feb 2024 12:00:00 +0000',
  body = 'A text.\n',
  headers = [],
}: Written = {}): string {
  const lines = [
    `Message-ID: <${id}>`,
    `From: ${from}`,
    'To: Ben <ben@example.org>, cleo@example.org',
    `Subject: ${subject}`,
    `Date: ${date}`,
    ...headers,
  ];
  return `${lines.join('\n')}\n\n${body}`;
}

/** Returns a part of a multipart message. */
export function part(headers: readonly string[], content: string): string {
  return `--frontier\n${headers.join('\n')}\n\n${content}\n`;
}

/** Returns a multipart message. */
export function mixed(parts: readonly string[], rest: Written = {}, type = 'mixed'): string {
  const headers = ['MIME-Version: 1.0', `Content-Type: multipart/${type}; boundary="frontier"`];
  const body = `A preamble.\n${parts.join('')}--frontier--\n`;
  return message({ ...rest, headers: [...(rest.headers ?? []), ...headers], body });
}

/** Returns the content of an mbox file. */
export function mbox(...messages: readonly string[]): string {
  return messages
    .map((each) => each.replaceAll(/^(>*From )/gm, '>$1').replace(/\n?$/, '\n'))
    .map((each) => `From ada@example.org Thu Feb 29 12:00:00 2024\n${each}\n`)
    .join('');
}

export function recordsOf(
  connector: Connector,
  path: string,
  options: Partial<RecordsOptions> = {},
): Promise<SourceRecord[]> {
  return collect(connector.records?.(path, { signal: calm(), ...options }));
}

export async function listed(connector: Connector): Promise<string[]> {
  const entries: Entry[] = await collect(connector.list({ signal: calm() }));
  return entries.map(({ path }) => path).toSorted();
}

export async function bytesAt(connector: Connector, path: string): Promise<Buffer> {
  const content = await connector.read?.(path, { signal: calm() });
  const { bytes = new Uint8Array() } = content ?? {};
  return bytes instanceof Uint8Array ? Buffer.from(bytes) : Buffer.concat(await collect(bytes));
}

/** Returns the changes since a cursor and the new cursor. */
export async function changed(
  connector: Connector,
  cursor?: unknown,
): Promise<{ changes: Change[]; cursor: unknown }> {
  let next: unknown = null;
  const commit = (given: unknown): void => void (next = JSON.parse(JSON.stringify(given)));
  const changes = await collect(connector.changes?.({ cursor, commit, signal: calm() }));
  return { changes, cursor: next };
}
