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

/** A document as the site describes it: its bytes are read when they are needed. */
export interface DocumentFacts {
  readonly mediaType: string;
  readonly size: number | null;
  readonly modifiedAt: number | null;
  readonly fingerprint: string | null;
}

/** What is at an address. */
export type VisitResult =
  | { readonly kind: 'page'; readonly page: FetchedPage }
  | { readonly kind: 'document'; readonly document: DocumentFacts }
  /** `to`: as the server wrote it. */
  | { readonly kind: 'moved'; readonly to: string }
  | { readonly kind: 'gone' }
  /** It is not wanted; `mediaType` is what it is, '' when that is not known. */
  | { readonly kind: 'left'; readonly reason: string; readonly mediaType: string }
  /** Nobody knows what is there now. `page`: what was there. */
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly page: FetchedPage | null;
      /** The site itself did not answer. */
      readonly isSilent: boolean;
    };

const pageLimits = { maxBytes: 10 * 1024 * 1024, maxMs: 60_000 };
const goneStatuses = new Set([404, 410]);

export interface VisitOptions {
  readonly site: Site;
  readonly documents: boolean;
  /** When the listing began. Pages that it has asked for before it broke off are not asked for again. */
  readonly listingStart: number;
  readonly signal: AbortSignal;
}

/** Looks up addresses, each with as little effort for the site as possible. */
export class Visitor {
  readonly #web: SiteClient;
  readonly #pages: PageStore;

  constructor(web: SiteClient, pages: PageStore) {
    this.#web = web;
    this.#pages = pages;
  }

  /** Throws only when aborted, and when the site asks to be left alone for a while. */
  async visit(address: URL, options: VisitOptions): Promise<VisitResult> {
    const kept = await this.#pages.load(address);
    if (kept !== null && kept.checkedAt >= options.listingStart)
      return { kind: 'page', page: kept };
    try {
      return await this.#visit(address, kept, options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (requestsPause(error)) throw error;
      if (error instanceof BodyLimitError) {
        return { kind: 'left', reason: `it is ${error.message}`, mediaType: 'text/html' };
      }
      if (kept !== null) await this.#pages.markChecked(address, options.listingStart);
      const reason = isTroveError(error) ? error.detail : messageOf(error);
      return { kind: 'failed', reason, page: kept, isSilent: true };
    }
  }

  async #visit(address: URL, kept: StoredPage | null, options: VisitOptions): Promise<VisitResult> {
    const { site, signal } = options;
    if (kept === null && isLikelyDocument(address)) {
      const answer = await this.#web.request(address, site, { method: 'HEAD', signal });
      await discard(answer);
      const isClear = answer.ok || goneStatuses.has(answer.status) || locationOf(answer) !== null;
      const isPage = isPageType(responseMediaType(answer, address));
      if (isClear && !(answer.ok && isPage)) return this.#told(address, answer, null, options);
    }
    const headers = validatorsOf(kept);
    const answer = await this.#web.request(address, site, { headers, signal });
    return this.#told(address, answer, kept, options);
  }

  async #told(
    address: URL,
    answer: Response,
    kept: StoredPage | null,
    options: VisitOptions,
  ): Promise<VisitResult> {
    const { status } = answer;
    if (status === 304 && kept !== null) {
      await discard(answer);
      await this.#pages.markChecked(address, options.listingStart);
      return { kind: 'page', page: kept };
    }
    const location = locationOf(answer);
    if (answer.ok && status !== 204) {
      const mediaType = responseMediaType(answer, address);
      if (isPageType(mediaType) || mediaType === '') return this.#page(address, answer, options);
      await discard(answer);
      return toDocumentResult(answer, mediaType, options);
    }
    await discard(answer);
    if (location !== null) return { kind: 'moved', to: location };
    if (goneStatuses.has(status)) return { kind: 'gone' };
    if (kept !== null) await this.#pages.markChecked(address, options.listingStart);
    const reason = statusReason(status);
    const isRefused = status < 500 && status >= 400;
    if (isRefused && kept === null) return { kind: 'left', reason, mediaType: 'text/html' };
    return { kind: 'failed', reason, page: kept, isSilent: !isRefused };
  }

  async #page(address: URL, answer: Response, options: VisitOptions): Promise<VisitResult> {
    const bytes = await readBody(answer, pageLimits);
    const real = mediaTypeOf('', bytes) ?? '';
    const isText = real.startsWith('text/') || /[/+]xml$/.test(real) || bytes.length === 0;
    if (!isText) return toDocumentResult(answer, real, options);
    const { headers } = answer;
    const isStatedPage = isPageType(responseMediaType(answer, address));
    if (!isStatedPage && !isPageType(real)) return toDocumentResult(answer, real, options);
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

function validatorsOf(kept: StoredPage | null): Record<string, string> {
  const { etag = null, lastModified = null } = kept ?? {};
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  };
}

/** Pages that are made when they are asked for have the time of the answer. */
function isGenerated(headers: Headers): boolean {
  const modified = timeOf(headers.get('last-modified'));
  const now = timeOf(headers.get('date'));
  return modified !== null && now !== null && Math.abs(now - modified) < 60_000;
}

/** `<https://example.com/page>; rel="canonical"`. */
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
    const reason = documents ? `${mediaType || 'unknown content'} is not taken` : 'no page';
    return { kind: 'left', reason, mediaType };
  }
  const length = headers.get('content-encoding') === null ? headers.get('content-length') : null;
  const etag = headers.get('etag');
  const modified = headers.get('last-modified');
  const isKnown = etag !== null || (modified !== null && !isGenerated(headers));
  const document = {
    mediaType,
    size: length === null ? null : Number(length),
    modifiedAt: isGenerated(headers) ? null : timeOf(modified),
    fingerprint: isKnown ? [etag, modified, length].join(' ') : null,
  };
  return { kind: 'document', document };
}

function statusReason(status: number): string {
  if (status === 401 || status === 407) return `it asks for a login (HTTP ${status})`;
  if (status === 403) return 'it is forbidden (HTTP 403)';
  return `the server answers with HTTP ${status}`;
}
