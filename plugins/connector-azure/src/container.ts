import { isTroveError, messageOf, TroveError, type ConnectorContext } from '@trove/core';
import { rangeNotSatisfiable, type ObjectQuery } from '@trove/connector-kit/storage';

import { accessOf } from './access.js';
import { BlobPageParser, type BlobPage } from './blob-page.js';
import type { AzureConfig } from './config.js';
import { refusalError } from './failures.js';
import { blobLocationOf, type BlobLocation } from './location.js';
import { signRequest } from './signature.js';

export type AzureContext = Pick<
  ConnectorContext<AzureConfig>,
  'config' | 'credentials' | 'http' | 'target'
>;

/** More than 5,000 escaped names of 1,024 characters need. */
const maxPageBytes = 64 * 1024 * 1024;

export interface BlobListQuery extends ObjectQuery {
  /** Maximum number of names per page. Default: the limit of the service. */
  readonly pageSize?: number;
}

interface BlobRequest {
  readonly method: 'GET' | 'HEAD';
  /** Name of a blob. Without a name, the request is for the container. */
  readonly name?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Sends requests to a container. Throws errors with remedies. */
export class BlobContainer {
  readonly location: BlobLocation;
  readonly #context: AzureContext;

  constructor(context: AzureContext) {
    this.location = blobLocationOf(context.target);
    this.#context = context;
  }

  /** Returns a successful response, or one that says that a blob has no bytes in the range. */
  async request({
    method,
    name,
    query = {},
    headers = {},
    signal,
  }: BlobRequest): Promise<Response> {
    const { account, container } = this.location;
    const access = accessOf(account, await this.#currentConfig());
    const path = name === undefined ? '' : `/${name.split('/').map(encodeURIComponent).join('/')}`;
    const address = new URL(`${access.endpoint}/${container}${path}`);
    for (const [key, value] of Object.entries(query)) address.searchParams.set(key, value);
    const signed = signRequest(method, address.href, headers, access, new Date());
    const response = await this.#send(signed.url, { method, headers: signed.headers, signal });
    if (response.ok || response.status === rangeNotSatisfiable) return response;
    await response.body?.cancel().catch(() => undefined);
    throw refusalError(response, { account, container, name: name ?? null, host: address.host });
  }

  /** Yields the pages of a listing. */
  async *listPages(
    query: BlobListQuery,
    signal: AbortSignal,
  ): AsyncGenerator<BlobPage, void, undefined> {
    for (let marker: string | null = ''; marker !== null;) {
      const page: BlobPage = await this.#fetchPage(query, marker, signal);
      yield page;
      if (page.next === marker) throw this.#protocolError('the list repeats a marker');
      marker = page.next;
    }
  }

  async #fetchPage(
    { prefix, isOneLevel = false, pageSize }: BlobListQuery,
    marker: string,
    signal: AbortSignal,
  ): Promise<BlobPage> {
    const query = {
      restype: 'container',
      comp: 'list',
      ...(prefix === '' ? {} : { prefix }),
      ...(isOneLevel ? { delimiter: '/' } : {}),
      ...(pageSize === undefined ? {} : { maxresults: String(pageSize) }),
      ...(marker === '' ? {} : { marker }),
    };
    const { body } = await this.request({ method: 'GET', query, signal });
    const parser = new BlobPageParser();
    const decoder = new TextDecoder();
    let size = 0;
    try {
      for await (const piece of body ?? []) {
        size += piece.length;
        if (size > maxPageBytes) throw new Error('it is too large');
        parser.write(decoder.decode(piece, { stream: true }));
      }
      return parser.end();
    } catch (error) {
      signal.throwIfAborted();
      if (isTroveError(error)) throw error;
      throw this.#protocolError(`the list of blobs cannot be read (${messageOf(error)})`, error);
    }
  }

  async #send(
    url: string,
    options: RequestInit & { readonly signal: AbortSignal },
  ): Promise<Response> {
    try {
      return await this.#context.http(url, { ...options, redirect: 'manual' });
    } catch (error) {
      options.signal.throwIfAborted();
      if (isTroveError(error)) throw error;
      const detail = `${new URL(url).host} cannot be reached: ${messageOf(error)}`;
      throw new TroveError('connector_unhealthy', detail, { cause: error, retryable: true });
    }
  }

  /** The settings with the current login, because its file may have been replaced. */
  async #currentConfig(): Promise<AzureConfig> {
    const { config, credentials } = this.#context;
    const current = { ...config };
    for (const name of ['account_key', 'sas_token', 'connection_string'] as const) {
      const value = await credentials.get(name);
      if (value !== undefined) current[name] = value;
    }
    return current;
  }

  #protocolError(problem: string, cause?: unknown): TroveError {
    const { account } = this.location;
    return new TroveError(
      'connector_unhealthy',
      `The storage account "${account}" does not answer like Azure Blob Storage: ${problem}.`,
      { suggestions: ['Check `endpoint` in the configuration of the source.'], cause },
    );
  }
}
