import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutCheckpoints, type Connector, type Entry } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { listen, type TestServer } from '@trove/test-support/listen.js';
import plugin from '../src/index.js';

export interface FeedAnswer {
  readonly body?: string | Uint8Array;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server of feeds on a free port of this machine. */
export class FeedServer {
  readonly answers = new Map<string, FeedAnswer>();
  /** Requests as `/path STATUS`, in order. */
  readonly requests: string[] = [];
  /** The header Authorization of each request. */
  readonly logins: (string | undefined)[] = [];
  /** Whether to send an ETag, and 304 for unchanged documents. */
  validates = true;
  authorization: string | null = null;
  #server!: TestServer;
  readonly #folders: string[] = [];
  readonly #connectors: Connector[] = [];

  static async start(): Promise<FeedServer> {
    const server = new FeedServer();
    server.#server = await listen((request, response) => server.#answer(request, response));
    return server;
  }

  get origin(): string {
    return this.#server.origin;
  }

  set(
    path: string,
    body: string | Uint8Array,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    this.answers.set(path, { body, headers });
  }

  takeRequests(): string[] {
    return this.requests.splice(0);
  }

  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'trove-rss-test-'));
    this.#folders.push(folder);
    return folder;
  }

  /** Opens a source of feeds of this server. `folder`: its cache folder, or none. */
  async connector(
    paths: readonly string[],
    config: object = {},
    folder: string | null = null,
  ): Promise<Connector> {
    const feeds = paths.map((path) => new URL(path, this.origin).href);
    const connector = await plugin.create(
      connectorContext({
        config: configFor(plugin, { feeds, ...config }),
        target: 'rss://news',
        cacheFolder: folder ?? (await this.folder()),
      }),
    );
    this.#connectors.push(connector);
    return connector;
  }

  async stop(): Promise<void> {
    for (const connector of this.#connectors) await connector.close?.();
    await this.#server.stop();
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { url = '', headers: asked } = request;
    const {
      body = '',
      status: given = 200,
      headers = {},
    } = this.answers.get(url) ?? { status: 404 };
    const isRefused = this.authorization !== null && asked.authorization !== this.authorization;
    const etag = `W/"${createHash('sha256').update(body).digest('hex')}"`;
    const isUnchanged = this.validates && given === 200 && asked['if-none-match'] === etag;
    const status = isRefused ? 401 : isUnchanged ? 304 : given;
    this.requests.push(`${url} ${status}`);
    this.logins.push(asked.authorization);
    const validators = this.validates && given === 200 ? { etag } : {};
    response.writeHead(status, { 'content-type': 'application/xml', ...validators, ...headers });
    response.end(status === 200 ? body : '');
  }
}

const calm = (): AbortSignal => new AbortController().signal;

/** Lists a source. `warnings` receives the warnings. */
export async function entriesOf(connector: Connector, warnings: string[] = []): Promise<Entry[]> {
  const entries: Entry[] = [];
  const request = { signal: calm(), warn: (sentence: string) => void warnings.push(sentence) };
  for await (const entry of withoutCheckpoints(connector.list(request))) entries.push(entry);
  return entries;
}

export async function pathsOf(connector: Connector): Promise<string[]> {
  return (await entriesOf(connector)).map(({ path }) => path).sort();
}

export async function textAt(connector: Connector, path: string): Promise<string> {
  const content = await connector.read?.(path, { signal: calm() });
  const { bytes = new Uint8Array() } = content ?? {};
  if (!(bytes instanceof Uint8Array)) throw new Error('The document is not whole.');
  return Buffer.from(bytes).toString();
}

/** Creates an RSS 2.0 document. */
export function rss(items: readonly string[], channel = '<title>News</title>'): string {
  return `<?xml version="1.0"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>${channel}${items
    .map((item) => `<item>${item}</item>`)
    .join('')}</channel></rss>`;
}
