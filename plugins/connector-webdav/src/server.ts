import {
  isTroveError,
  messageOf,
  parseUri,
  TroveError,
  type ByteRange,
  type ConnectorContext,
} from '@trove/core';

import type { WebdavConfig } from './config.js';
import { protocolError, refusalError } from './failures.js';
import { MultistatusParser, propfindBody, type DavResource } from './multistatus.js';
import { urlOf } from './paths.js';

export type WebdavContext = Pick<
  ConnectorContext<WebdavConfig>,
  'config' | 'credentials' | 'http' | 'target'
>;

/** Limit for one collection: more than 200,000 members. */
const maxListingBytes = 256 * 1024 * 1024;
const rangeNotSatisfiable = 416;

export interface DescribeOptions {
  readonly depth: 0 | 1;
  readonly isCollection?: boolean;
}

interface DavRequest {
  readonly method: 'GET' | 'PROPFIND';
  readonly path: string;
  readonly isCollection?: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** Sends requests to the folder of a source. Throws errors with remedies. */
export class DavServer {
  /** Address of the root without a final slash. */
  readonly url: string;
  readonly #context: WebdavContext;

  /** Throws `validation_error` for a target without a server, and `config_invalid` for half a login. */
  constructor(context: WebdavContext) {
    this.#context = context;
    this.url = rootUrlOf(context);
    const { user, password, token } = context.config;
    const isPair = (user === undefined) === (password === undefined);
    if (isPair && (token === undefined || user === undefined)) return;
    throw new TroveError(
      'config_invalid',
      'A login needs `user` and `password`, or only `token`.',
      {
        suggestions: ['Set both, only `token`, or none for a public folder.'],
      },
    );
  }

  /**
   * Returns what the server says about a file, or about a collection and its members. `depth` 0 leaves out the members.
   * `isCollection` if the path is known to be one, because servers redirect its address without a final slash.
   */
  async describe(
    path: string,
    { depth, isCollection = false }: DescribeOptions,
    signal: AbortSignal,
  ): Promise<DavResource[]> {
    const headers = { depth: String(depth), 'content-type': 'application/xml; charset=utf-8' };
    const request = {
      method: 'PROPFIND',
      path,
      isCollection,
      headers,
      body: propfindBody,
      signal,
    } as const;
    const response = await this.#send(request);
    const url = this.urlOf(path);
    if (response.status !== 207) {
      await response.body?.cancel();
      throw protocolError(url, `it answers PROPFIND with HTTP ${response.status}`);
    }
    const parser = new MultistatusParser();
    const decoder = new TextDecoder();
    const resources: DavResource[] = [];
    let size = 0;
    try {
      for await (const piece of response.body ?? []) {
        size += piece.length;
        if (size > maxListingBytes) throw new Error('it is too large');
        parser.write(decoder.decode(piece, { stream: true }));
        resources.push(...parser.takeResources());
      }
      parser.end();
    } catch (error) {
      signal.throwIfAborted();
      if (isTroveError(error)) throw error;
      throw protocolError(url, `the list of files cannot be read (${messageOf(error)})`, error);
    }
    return resources;
  }

  /** Reads a file, or a range of it if the server supports ranges. */
  async read(
    path: string,
    range: ByteRange | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly response: Response; readonly start: number }> {
    // The server must not compress the content, because a part of it could not be decompressed.
    const headers: Record<string, string> = { 'accept-encoding': 'identity' };
    if (range !== undefined) headers['range'] = rangeHeader(range);
    const response = await this.#send({ method: 'GET', path, headers, signal });
    if (response.status !== 206) return { response, start: 0 };
    const [, from] = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '') ?? [];
    if (from === undefined) throw protocolError(this.urlOf(path), 'it does not state the range');
    return { response, start: Number(from) };
  }

  urlOf(path: string): string {
    return urlOf(this.url, path);
  }

  /** Returns a successful response, or one that says that a file has no bytes in the range. */
  async #send(request: DavRequest): Promise<Response> {
    const { method, path, isCollection = false, headers, body, signal } = request;
    const url = this.urlOf(path);
    const address = isCollection && !url.endsWith('/') ? `${url}/` : url;
    const login = await this.#login();
    const sent = body === undefined ? {} : { body };
    const options = { method, headers: { ...headers, ...login }, signal, ...sent };
    const response = await this.#fetch(address, options);
    if (response.ok || response.status === rangeNotSatisfiable) return response;
    await response.body?.cancel().catch(() => undefined);
    throw refusalError(response, url, path);
  }

  async #fetch(
    url: string,
    options: RequestInit & { readonly signal: AbortSignal },
  ): Promise<Response> {
    try {
      return await this.#context.http(url, options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (isTroveError(error)) throw error;
      const detail = `${new URL(url).host} cannot be reached: ${messageOf(error)}`;
      throw new TroveError('connector_unhealthy', detail, { cause: error, retryable: true });
    }
  }

  /** The current login, because its file may have been replaced. */
  async #login(): Promise<Record<string, string>> {
    const { credentials, config } = this.#context;
    const token = await credentials.get('token');
    if (token !== undefined) return { authorization: `Bearer ${token}` };
    const user = (await credentials.get('user')) ?? config.user;
    const password = await credentials.get('password');
    if (user === undefined || password === undefined) return {};
    const login = Buffer.from(`${user}:${password}`).toString('base64');
    return { authorization: `Basic ${login}` };
  }
}

function rangeHeader({ start, end }: ByteRange): string {
  return `bytes=${start}-${end === undefined ? '' : end - 1}`;
}

function rootUrlOf({ target, config: { url } }: WebdavContext): string {
  const { authority, path } = parseUri(target);
  const below = path.slice(1);
  if (url !== undefined) return urlOf(new URL(url).href.replace(/\/+$/, ''), below);
  const base = `https://${authority}`;
  if (authority === '' || authority.includes('@') || !URL.canParse(base)) {
    throw new TroveError('validation_error', `target: ${target.slice(0, 200)} names no server`, {
      suggestions: ['Write it like webdav://cloud.example.com/remote.php/dav/files/ada.'],
    });
  }
  return urlOf(new URL(base).origin, below);
}
