import { isTroveError, messageOf } from '@trove/core';
import { mediaTypeOf } from '@trove/text/media-types';

import type { KeptPage, KeptPages, KnownPage } from './kept-pages.js';
import { isDocumentType, isLikelyDocument, isPageType, mediaTypeIn } from './kinds.js';
import { pageFacts, timeOf } from './page-facts.js';
import { pageText } from './page-text.js';
import type { Site } from './site.js';
import { asksForTime } from './sitemaps.js';
import { bodyOf, discard, locationOf, TooMuch, type Web } from './web.js';

/** A document as the site describes it: its bytes are read when they are needed. */
export interface KnownDocument {
  readonly mediaType: string;
  readonly size: number | null;
  readonly modifiedAt: number | null;
  readonly fingerprint: string | null;
}

/** What is at an address. */
export type Visit =
  | { readonly kind: 'page'; readonly page: KnownPage }
  | { readonly kind: 'document'; readonly document: KnownDocument }
  /** `to`: as the server wrote it. */
  | { readonly kind: 'moved'; readonly to: string }
  | { readonly kind: 'gone' }
  /** It is not wanted; `mediaType` is what it is, '' when that is not known. */
  | { readonly kind: 'left'; readonly reason: string; readonly mediaType: string }
  /** Nobody knows what is there now. `page`: what was there. */
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly page: KnownPage | null;
      /** The site itself did not answer. */
      readonly isSilent: boolean;
    };

const pageLimits = { maxBytes: 10 * 1024 * 1024, maxMs: 60_000 };
const gone = new Set([404, 410]);

export interface VisitOptions {
  readonly site: Site;
  readonly documents: boolean;
  /** When the listing began. Pages that it has asked for before it broke off are not asked for again. */
  readonly listing: number;
  readonly signal: AbortSignal;
}

/** Looks up addresses, each with as little effort for the site as possible. */
export class Visitor {
  readonly #web: Web;
  readonly #pages: KeptPages;

  constructor(web: Web, pages: KeptPages) {
    this.#web = web;
    this.#pages = pages;
  }

  /** Throws only when aborted, and when the site asks to be left alone for a while. */
  async visit(address: URL, options: VisitOptions): Promise<Visit> {
    const kept = await this.#pages.page(address);
    if (kept !== null && kept.checkedAt >= options.listing) return { kind: 'page', page: kept };
    try {
      return await this.#visit(address, kept, options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (asksForTime(error)) throw error;
      if (error instanceof TooMuch) {
        return { kind: 'left', reason: `it is ${error.message}`, mediaType: 'text/html' };
      }
      if (kept !== null) await this.#pages.checked(address, options.listing);
      const reason = isTroveError(error) ? error.detail : messageOf(error);
      return { kind: 'failed', reason, page: kept, isSilent: true };
    }
  }

  async #visit(address: URL, kept: KeptPage | null, options: VisitOptions): Promise<Visit> {
    const { site, signal } = options;
    if (kept === null && isLikelyDocument(address)) {
      const answer = await this.#web.ask(address, site, { method: 'HEAD', signal });
      await discard(answer);
      const isClear = answer.ok || gone.has(answer.status) || locationOf(answer) !== null;
      const isPage = isPageType(mediaTypeIn(answer, address));
      if (isClear && !(answer.ok && isPage)) return this.#told(address, answer, null, options);
    }
    const headers = validatorsOf(kept);
    const answer = await this.#web.ask(address, site, { headers, signal });
    return this.#told(address, answer, kept, options);
  }

  async #told(
    address: URL,
    answer: Response,
    kept: KeptPage | null,
    options: VisitOptions,
  ): Promise<Visit> {
    const { status } = answer;
    if (status === 304 && kept !== null) {
      await discard(answer);
      await this.#pages.checked(address, options.listing);
      return { kind: 'page', page: kept };
    }
    const location = locationOf(answer);
    if (answer.ok && status !== 204) {
      const mediaType = mediaTypeIn(answer, address);
      if (isPageType(mediaType) || mediaType === '') return this.#page(address, answer, options);
      await discard(answer);
      return asDocument(answer, mediaType, options);
    }
    await discard(answer);
    if (location !== null) return { kind: 'moved', to: location };
    if (gone.has(status)) return { kind: 'gone' };
    if (kept !== null) await this.#pages.checked(address, options.listing);
    const reason = statusText(status);
    const isRefused = status < 500 && status >= 400;
    if (isRefused && kept === null) return { kind: 'left', reason, mediaType: 'text/html' };
    return { kind: 'failed', reason, page: kept, isSilent: !isRefused };
  }

  async #page(address: URL, answer: Response, options: VisitOptions): Promise<Visit> {
    const bytes = await bodyOf(answer, pageLimits);
    const real = mediaTypeOf('', bytes) ?? '';
    const isText = real.startsWith('text/') || /[/+]xml$/.test(real) || bytes.length === 0;
    if (!isText) return asDocument(answer, real, options);
    const { headers } = answer;
    const isStatedPage = isPageType(mediaTypeIn(answer, address));
    if (!isStatedPage && !isPageType(real)) return asDocument(answer, real, options);
    const text = pageText(bytes, headers.get('content-type'));
    const html = Buffer.from(text);
    const facts = await pageFacts(text, address);
    const robots = headers.get('x-robots-tag')?.toLowerCase() ?? '';
    const lastModified = headers.get('last-modified');
    const page: KnownPage = {
      address: address.href,
      etag: headers.get('etag'),
      lastModified,
      modifiedAt: facts.modifiedAt ?? (isOfNow(headers) ? null : timeOf(lastModified)),
      size: html.length,
      facts: {
        ...facts,
        language: facts.language ?? headers.get('content-language'),
        noindex: facts.noindex || /\b(?:noindex|none)\b/.test(robots),
        nofollow: facts.nofollow || /\b(?:nofollow|none)\b/.test(robots),
        canonical: facts.canonical ?? canonicalIn(headers),
      },
    };
    await this.#pages.keep(page, html, options.listing);
    return { kind: 'page', page };
  }
}

function validatorsOf(kept: KeptPage | null): Record<string, string> {
  const { etag = null, lastModified = null } = kept ?? {};
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  };
}

/** Pages that are made when they are asked for have the time of the answer. */
function isOfNow(headers: Headers): boolean {
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

function asDocument({ headers }: Response, mediaType: string, { documents }: VisitOptions): Visit {
  if (!documents || !isDocumentType(mediaType)) {
    const reason = documents ? `${mediaType || 'unknown content'} is not taken` : 'no page';
    return { kind: 'left', reason, mediaType };
  }
  const length = headers.get('content-encoding') === null ? headers.get('content-length') : null;
  const etag = headers.get('etag');
  const modified = headers.get('last-modified');
  const isKnown = etag !== null || (modified !== null && !isOfNow(headers));
  const document = {
    mediaType,
    size: length === null ? null : Number(length),
    modifiedAt: isOfNow(headers) ? null : timeOf(modified),
    fingerprint: isKnown ? [etag, modified, length].join(' ') : null,
  };
  return { kind: 'document', document };
}

function statusText(status: number): string {
  if (status === 401 || status === 407) return `it asks for a login (HTTP ${status})`;
  if (status === 403) return 'it is forbidden (HTTP 403)';
  return `the server answers with HTTP ${status}`;
}
