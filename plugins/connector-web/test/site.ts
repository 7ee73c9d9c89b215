import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectorContext } from '@trove/testkit';
import { withoutCheckpoints, type Connector, type Entry, type Health } from '@trove/core';
import { suite, type Test } from 'uvu';

import { listen, type TestServer } from '@trove/test-support/listen.js';
import plugin from '../src/index.js';

/** The response of a page. A text is a page in UTF-8. */
export type Answer =
  | string
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array;
    }
  | ((request: IncomingMessage, response: ServerResponse) => void);

interface Opening {
  readonly path?: string;
  readonly folder?: string;
  readonly target?: string;
  readonly hosts?: Readonly<Record<string, TestSite>>;
}

/** A test site on a free port of this machine. */
export class TestSite {
  readonly pages = new Map<string, Answer>();
  /** Requests as `GET /path`, in order. */
  readonly asked: string[] = [];
  /** The header Authorization of each request. */
  readonly logins: (string | null)[] = [];
  /** Whether to send validators with pages, and 304 for unchanged pages. */
  validates = false;
  /** The required value of the header Authorization, or null. */
  authorization: string | null = null;
  /** Whether connections are closed without an answer. */
  isDown = false;
  /** Called with the status of each response. */
  onAnswer: (status: number) => void = () => undefined;
  #server!: TestServer;
  readonly #folders: string[] = [];
  readonly #connectors: Connector[] = [];

  static async start(pages: Readonly<Record<string, Answer>> = {}): Promise<TestSite> {
    const site = new TestSite();
    site.#server = await listen((request, response) => site.#answer(request, response));
    site.set(pages);
    return site;
  }

  get port(): number {
    return this.#server.port;
  }

  get host(): string {
    return this.#server.host;
  }

  get origin(): string {
    return this.#server.origin;
  }

  set(pages: Readonly<Record<string, Answer>>): void {
    for (const [path, answer] of Object.entries(pages)) this.pages.set(path, answer);
  }

  /** Returns the requested paths since the last call, without robots.txt and sitemap. */
  takeAsked(): string[] {
    return this.asked
      .splice(0)
      .filter((each) => !/robots\.txt|sitemap\.xml/.test(each))
      .map((each) => each.replace('GET ', ''));
  }

  /** Creates a folder that is deleted with the site. */
  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'trove-web-test-'));
    this.#folders.push(folder);
    return folder;
  }

  /** `hosts` are the sites of other hosts, by origin. */
  async connector(
    config: object = {},
    { path = '', folder = '', target = this.origin + path, hosts = {} }: Opening = {},
  ): Promise<Connector> {
    const context = connectorContext({
      config: { ...defaults, ...config },
      target,
      cacheFolder: folder === '' ? await this.folder() : folder,
      ...(Object.keys(hosts).length === 0 ? {} : { http: fetchFrom(hosts) }),
    });
    const connector = await plugin.create(context);
    this.#connectors.push(connector);
    return connector;
  }

  async stop(): Promise<void> {
    for (const connector of this.#connectors) await connector.close?.();
    await this.#server.stop();
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '' } = request;
    this.asked.push(`${method} ${url}`);
    this.logins.push(request.headers.authorization ?? null);
    const { authorization } = this;
    if (this.isDown) return void request.socket.destroy();
    if (authorization !== null && request.headers.authorization !== authorization)
      return void response.writeHead(401).end();
    const answer = this.pages.get(url);
    if (typeof answer === 'function') return answer(request, response);
    if (answer === undefined) {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
      return;
    }
    const {
      status = 200,
      headers = {},
      body = '',
    } = typeof answer === 'string' ? { body: answer } : answer;
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    if (this.validates && request.headers['if-none-match'] === etag) {
      this.onAnswer(304);
      response.writeHead(304, { etag }).end();
      return;
    }
    const type = {
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
    };
    response.writeHead(status, { ...type, ...(this.validates ? { etag } : {}), ...headers });
    this.onAnswer(status);
    response.end(method === 'HEAD' ? '' : body);
  }
}

/** Creates a `fetch` that sends requests for other hosts to test sites. */
function fetchFrom(hosts: Readonly<Record<string, TestSite>>): typeof globalThis.fetch {
  return async (input, init) => {
    const { origin, pathname, search } = new URL(input instanceof Request ? input.url : input);
    const site = hosts[origin];
    if (site === undefined) throw new TypeError(`getaddrinfo ENOTFOUND ${origin}`);
    return fetch(site.origin + pathname + search, init);
  };
}

export const defaults = {
  max_pages: 1000,
  max_depth: 30,
  exclude: [] as string[],
  query_strings: true,
  documents: true,
  robots: true,
  delay_ms: 0,
  connections: 2,
};

/** Creates a page with a title, a text and links. */
export function page(title: string, ...links: readonly string[]): string {
  const anchors = links.map((link) => `<a href="${link}">${link}</a>`).join(' ');
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1><p>About ${title}.</p>${anchors}</body></html>`;
}

export interface Listed {
  /** Entries by path, in the order of the listing. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly notes: readonly string[];
  /** The error of the listing, or null. */
  readonly error: unknown;
}

export async function listed(connector: Connector): Promise<Listed> {
  const entries = new Map<string, Entry>();
  const notes: string[] = [];
  const { signal } = new AbortController();
  try {
    for await (const entry of withoutCheckpoints(
      connector.list({
        signal,
        warn: (warning) => void notes.push(warning),
      }),
    ))
      entries.set(entry.path, entry);
    return { entries, notes, error: null };
  } catch (error) {
    return { entries, notes, error };
  }
}

/** Returns the sorted paths without a skip reason. */
export async function pathsOf(connector: Connector): Promise<string[]> {
  const { entries, error } = await listed(connector);
  if (error instanceof Error) throw error;
  return indexed(entries);
}

export function indexed(entries: ReadonlyMap<string, Entry>): string[] {
  const wanted = [...entries.values()].filter(({ skip }) => skip === undefined);
  return wanted.map(({ path }) => path).sort();
}

export async function healthOf(connector: Connector): Promise<Health | undefined> {
  return connector.check?.({ signal: new AbortController().signal });
}

export async function textAt(connector: Connector, path: string): Promise<string> {
  const content = await connector.read?.(path, { signal: new AbortController().signal });
  if (content === undefined) throw new Error('the connector has no `read`');
  const pieces: Uint8Array[] = [];
  const { bytes } = content;
  if (bytes instanceof Uint8Array) pieces.push(bytes);
  else for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

export interface TwoSites {
  docs: TestSite;
  api: TestSite;
}

/** Creates a suite that starts two sites for each test. */
export function suiteWithTwoSites(title: string): Test<TwoSites> {
  const test = suite<TwoSites>(title);
  test.before.each(async (context) => {
    context.docs = await TestSite.start();
    context.api = await TestSite.start();
  });
  test.after.each(async ({ docs, api }) => {
    await docs.stop();
    await api.stop();
  });
  return test;
}
