import { isTroveError, messageOf } from '@trove/core';
import { mediaTypeOf } from '@trove/text/media-types';

import type { StoredPage, PageStore, FetchedPage } from './page-store.js';
import {
  isDocumentType,
  isLikelyDocument,
  isPageType,
  responseMediaType,
} from './address-kinds.js';
import { readPageFacts, timeOf } from './page-facts.js';
import { pageText } from './page-text.js';
import type { Site } from './site.js';
import { requestsPause } from './sitemaps.js';
import { readBody, discard, locationOf, BodyLimitError, type SiteClient } from './site-client.js';

/** The description of a document. Its bytes are read on demand. */
export interface DocumentFacts {
  readonly mediaType: string;
  readonly size: number | null;
  readonly modifiedAt: number | null;
  readonly fingerprint: string | null;
}

/** The result of visiting an address. */
export type VisitResult =
  | { readonly kind: 'page'; readonly page: FetchedPage }
  | { readonly kind: 'document'; readonly document: DocumentFacts }
  /** `to` is the target as the server wrote it. */
  | { readonly kind: 'moved'; readonly to: string }
  | { readonly kind: 'gone' }
  /** The content is not included. `mediaType` is '' if it is unknown. */
  | { readonly kind: 'left_out'; readonly reason: string; readonly mediaType: string }
  /** The content is unknown. `page` is the last known page. */
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly page: FetchedPage | null;
      /** Whether the site gave no usable response. */
      readonly isSilent: boolean;
    };

const pageLimits = { maxBytes: 10 * 1024 * 1024, maxMs: 60_000 };
const goneStatuses = new Set([404, 410]);

export interface VisitOptions {
  readonly site: Site;
  readonly documents: boolean;
  /** Start of the listing. Pages requested since then are not requested again. */
  readonly listingStart: number;
  readonly signal: AbortSignal;
}

/** Visits addresses with as few requests and bytes as possible. */
export class Visitor {
  readonly #client: SiteClient;
  readonly #pages: PageStore;

  constructor(client: SiteClient, pages: PageStore) {
    this.#client = client;
    this.#pages = pages;
  }

  /** Throws only on abort, and when the site requests a pause. */
  async visit(address: URL, options: VisitOptions): Promise<VisitResult> {
    const stored = await this.#pages.load(address);
    if (stored !== null && stored.checkedAt >= options.listingStart)
      return { kind: 'page', page: stored };
    try {
      return await this.#visit(address, stored, options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (requestsPause(error)) throw error;
      if (error instanceof BodyLimitError) {
        return { kind: 'left_out', reason: `it is ${error.message}`, mediaType: 'text/html' };
      }
      if (stored !== null) await this.#pages.markChecked(address, options.listingStart);
      const reason = isTroveError(error) ? error.detail : messageOf(error);
      return { kind: 'failed', reason, page: stored, isSilent: true };
    }
  }

  async #visit(
    address: URL,
    stored: StoredPage | null,
    options: VisitOptions,
  ): Promise<VisitResult> {
    const { site, signal } = options;
    if (stored === null && isLikelyDocument(address)) {
      const response = await this.#client.request(address, site, { method: 'HEAD', signal });
      await discard(response);
      const isConclusive =
        response.ok || goneStatuses.has(response.status) || locationOf(response) !== null;
      const isPage = isPageType(responseMediaType(response, address));
      if (isConclusive && !(response.ok && isPage))
        return this.#resultOf(address, response, null, options);
    }
    const headers = validatorsOf(stored);
    const response = await this.#client.request(address, site, { headers, signal });
    return this.#resultOf(address, response, stored, options);
  }

  async #resultOf(
    address: URL,
    response: Response,
    stored: StoredPage | null,
    options: VisitOptions,
  ): Promise<VisitResult> {
    const { status } = response;
    if (status === 304 && stored !== null) {
      await discard(response);
      await this.#pages.markChecked(address, options.listingStart);
      return { kind: 'page', page: stored };
    }
    const location = locationOf(response);
    if (response.ok && status !== 204) {
      const mediaType = responseMediaType(response, address);
      if (isPageType(mediaType) || mediaType === '') return this.#page(address, response, options);
      await discard(response);
      return toDocumentResult(response, mediaType, options);
    }
    await discard(response);
    if (location !== null) return { kind: 'moved', to: location };
    if (goneStatuses.has(status)) return { kind: 'gone' };
    if (stored !== null) await this.#pages.markChecked(address, options.listingStart);
    const reason = statusReason(status);
    const isRefused = status < 500 && status >= 400;
    if (isRefused && stored === null) return { kind: 'left_out', reason, mediaType: 'text/html' };
    return { kind: 'failed', reason, page: stored, isSilent: !isRefused };
  }

  async #page(address: URL, response: Response, options: VisitOptions): Promise<VisitResult> {
    const bytes = await readBody(response, pageLimits);
    const detectedType = mediaTypeOf('', bytes) ?? '';
    const isText =
      detectedType.startsWith('text/') || /[/+]xml$/.test(detectedType) || bytes.length === 0;
    if (!isText) return toDocumentResult(response, detectedType, options);
    const { headers } = response;
    const isDeclaredPage = isPageType(responseMediaType(response, address));
    if (!isDeclaredPage && !isPageType(detectedType))
      return toDocumentResult(response, detectedType, options);
    const text = pageText(bytes, headers.get('content-type'));
    const html = Buffer.from(text);
    const facts = await readPageFacts(text, address);
    const robots = headers.get('x-robots-tag')?.toLowerCase() ?? '';
    const lastModified = headers.get('last-modified');
    const page: FetchedPage = {
      address: address.href,
      etag: headers.get('etag'),
      lastModified,
      modifiedAt: facts.modifiedAt ?? (isGenerated(headers) ? null : timeOf(lastModified)),
      size: html.length,
      facts: {
        ...facts,
        language: facts.language ?? headers.get('content-language'),
        noindex: facts.noindex || /\b(?:noindex|none)\b/.test(robots),
        nofollow: facts.nofollow || /\b(?:nofollow|none)\b/.test(robots),
        canonical: facts.canonical ?? canonicalIn(headers),
      },
    };
    await this.#pages.store(page, html, options.listingStart);
    return { kind: 'page', page };
  }
}

function validatorsOf(stored: StoredPage | null): Record<string, string> {
  const { etag = null, lastModified = null } = stored ?? {};
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  };
}

/** Returns whether a page was generated for the request. Its modification time is then the time of the response. */
function isGenerated(headers: Headers): boolean {
  const modified = timeOf(headers.get('last-modified'));
  const now = timeOf(headers.get('date'));
  return modified !== null && now !== null && Math.abs(now - modified) < 60_000;
}

/** Parses a header such as `<https://example.com/page>; rel="canonical"`. */
function canonicalIn(headers: Headers): string | null {
  return (
    /<([^>]+)>\s*;[^,]*rel="?canonical/i.exec(headers.get('link')?.slice(0, 2000) ?? '')?.[1] ??
    null
  );
}

function toDocumentResult(
  { headers }: Response,
  mediaType: string,
  { documents }: VisitOptions,
): VisitResult {
  if (!documents || !isDocumentType(mediaType)) {
    const reason = documents
      ? `${mediaType || 'unknown content'} is not included`
      : 'it is not a page';
    return { kind: 'left_out', reason, mediaType };
  }
  const length = headers.get('content-encoding') === null ? headers.get('content-length') : null;
  const etag = headers.get('etag');
  const modified = headers.get('last-modified');
  const hasValidator = etag !== null || (modified !== null && !isGenerated(headers));
  const document = {
    mediaType,
    size: length === null ? null : Number(length),
    modifiedAt: isGenerated(headers) ? null : timeOf(modified),
    fingerprint: hasValidator ? [etag, modified, length].join(' ') : null,
  };
  return { kind: 'document', document };
}

function statusReason(status: number): string {
  if (status === 401 || status === 407) return `it requires a login (HTTP ${status})`;
  if (status === 403) return 'it is forbidden (HTTP 403)';
  return `the server answers with HTTP ${status}`;
}
