import type { Content } from '@trove/core';

import { parseAddress } from './address.js';
import type { PageStore } from './page-store.js';
import { isPageType, responseMediaType } from './address-kinds.js';
import { pageText } from './page-text.js';
import { addressesOf } from './paths.js';
import type { Site } from './site.js';
import {
  readBody,
  discard,
  locationOf,
  streamBody,
  BodyLimitError,
  type WebContext,
  type SiteClient,
} from './site-client.js';

const pageLimits = { maxBytes: 10 * 1024 * 1024, maxMs: 50_000 };
const maxRedirects = 5;

export interface PageReadContext {
  readonly context: WebContext;
  readonly site: Site;
  readonly pages: PageStore;
  /** Addresses that are at their exact places only. */
  readonly exact: readonly string[];
  readonly client: SiteClient;
  readonly signal: AbortSignal;
}

/** The content at a path of the tree: the stored page of the last listing, or else the current answer of the site. */
export async function readPath(path: string, reading: PageReadContext): Promise<Content> {
  const { context, site, pages, exact } = reading;
  const isExact = /~\.[a-z0-9]+$/.test(path);
  const addresses = site.isSingleFile && path !== '' ? [] : addressesOf(path, site.root);
  const possible = addresses.filter(
    (address) => site.normalize(address) !== null && (isExact || !exact.includes(address.href)),
  );
  for (const address of possible) {
    const html = await pages.loadHtml(address);
    if (html !== null) return { bytes: html, mediaType: 'text/html' };
  }
  for (const address of possible) {
    const content = await fetchContent(address, reading);
    if (content !== null) return content;
  }
  throw context.error('not_found', `There is nothing at "${path.slice(0, 200)}".`);
}

/** Null when there is nothing. */
async function fetchContent(
  first: URL,
  { context, site, client: web, signal }: PageReadContext,
): Promise<Content | null> {
  let address = first;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const answer = await web.request(address, site, { signal });
    if (answer.ok) return contentOf(context, address, answer);
    await discard(answer);
    const location = locationOf(answer);
    if (location === null) {
      if (answer.status === 404 || answer.status === 410) return null;
      throw context.error(
        'connector_unhealthy',
        `${address.href} answers with HTTP ${answer.status}.`,
        {
          retryable: answer.status >= 500 || answer.status === 429,
        },
      );
    }
    const next = parseAddress(location, address);
    const own = next === null ? null : site.normalize(next);
    if (own === null) return null;
    address = own;
  }
  return null;
}

async function contentOf(context: WebContext, address: URL, answer: Response): Promise<Content> {
  const mediaType = responseMediaType(answer, address);
  if (!isPageType(mediaType)) {
    return { bytes: streamBody(answer), mediaType: mediaType === '' ? null : mediaType };
  }
  try {
    const bytes = await readBody(answer, pageLimits);
    const text = pageText(bytes, answer.headers.get('content-type'));
    return { bytes: Buffer.from(text), mediaType: 'text/html' };
  } catch (error) {
    if (!(error instanceof BodyLimitError)) throw error;
    throw context.error('connector_unhealthy', `${address.href} is ${error.message}.`);
  }
}
