import { isTroveError, messageOf, type TroveError } from '@trove/core';
import { retryAfterMs } from '@trove/core/provider';

import type { RssContext } from './location.js';

/** Maximum size of a document, decompressed. Feeds of podcasts have up to 20 MiB. */
const maxBytes = 64 * 1024 * 1024;
const defaultPauseMs = 60_000;
const acceptHeader =
  'application/rss+xml,application/atom+xml,application/feed+json,application/json;q=0.9,application/xml;q=0.9,text/xml;q=0.9,text/html;q=0.5,*/*;q=0.3';

/** The state of a document at its last request. */
export interface FeedValidators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface FetchedDocument extends FeedValidators {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** Address after redirects. */
  readonly address: string;
}

/** Fetches the documents of feeds. Throws errors with remedies. */
export class FeedClient {
  readonly #context: RssContext;
  /** The only server that gets the login. */
  readonly #origin: string;

  constructor(context: RssContext, feedAddress: string) {
    this.#context = context;
    this.#origin = new URL(feedAddress).origin;
  }

  /** Returns null for a document that has not changed. */
  async fetch(
    address: string,
    { etag, lastModified }: FeedValidators,
    signal: AbortSignal,
  ): Promise<FetchedDocument | null> {
    const headers = {
      accept: acceptHeader,
      ...(etag === null ? {} : { 'if-none-match': etag }),
      ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
      ...(await this.#login(address)),
    };
    const response = await this.#send(address, headers, signal);
    if (response.ok) {
      return {
        bytes: await this.#body(response, address),
        contentType: response.headers.get('content-type'),
        etag: response.headers.get('etag'),
        lastModified: response.headers.get('last-modified'),
        address: response.url === '' ? address : response.url,
      };
    }
    await response.body?.cancel().catch(() => undefined);
    if (response.status === 304) return null;
    throw this.#refusal(address, response);
  }

  async #login(address: string): Promise<Record<string, string>> {
    if (new URL(address).origin !== this.#origin) return {};
    const authorization = await this.#context.credentials.get('authorization');
    return authorization === undefined ? {} : { authorization };
  }

  async #send(
    address: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    try {
      return await this.#context.http(address, { headers, signal });
    } catch (error) {
      signal.throwIfAborted();
      if (isTroveError(error)) throw error;
      const detail = `${new URL(address).host} cannot be reached: ${messageOf(error)}`;
      throw this.#context.error('connector_unhealthy', detail, { cause: error, retryable: true });
    }
  }

  async #body(response: Response, address: string): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of response.body ?? []) {
      size += piece.length;
      if (size > maxBytes) {
        const limit = `${maxBytes / (1024 * 1024)} MiB`;
        throw this.#context.error('connector_unhealthy', `${address} is larger than ${limit}.`);
      }
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  #refusal(address: string, { status, headers }: Response): TroveError {
    const { error } = this.#context;
    const { host } = new URL(address);
    if (status === 401 || status === 403) {
      return error('connector_unhealthy', `${address} requires a login (HTTP ${status}).`, {
        suggestions: ['Set `authorization` in the configuration of the source.'],
      });
    }
    if (status === 404 || status === 410) {
      return error('connector_unhealthy', `There is no feed at ${address} (HTTP ${status}).`, {
        suggestions: ['Open the address in a browser and correct it.'],
      });
    }
    if (status === 429) {
      const pause = retryAfterMs(headers) ?? defaultPauseMs;
      return error('rate_limited', `${host} requests a pause (HTTP 429).`, {
        retryable: true,
        retryAfterMs: pause,
      });
    }
    return error('connector_unhealthy', `${address} answers with HTTP ${status}.`, {
      retryable: status >= 500 || status === 408,
    });
  }
}
