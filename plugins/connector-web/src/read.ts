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
  /** Addresses that have only an exact path. */
  readonly exact: readonly string[];
  readonly client: SiteClient;
  readonly signal: AbortSignal;
}

/** Reads the content at a path of the tree: the stored page, or else the current response of the site. */
export async function readPath(path: string, options: PageReadContext): Promise<Content> {
  const { context, site, pages, exact } = options;
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
    const content = await fetchContent(address, options);
    if (content !== null) return content;
  }
  throw context.error('not_found', `There is nothing at "${path.slice(0, 200)}".`);
}

/** Fetches an address. Returns null if it does not exist. */
async function fetchContent(
  first: URL,
  { context, site, client, signal }: PageReadContext,
): Promise<Content | null> {
  let address = first;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const response = await client.request(address, site, { signal });
    if (response.ok) return contentOf(context, address, response);
    await discard(response);
    const location = locationOf(response);
    if (location === null) {
      if (response.status === 404 || response.status === 410) return null;
      throw context.error(
        'connector_unhealthy',
        `${address.href} answers with HTTP ${response.status}.`,
        {
          retryable: response.status >= 500 || response.status === 429,
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

async function contentOf(context: WebContext, address: URL, response: Response): Promise<Content> {
  const mediaType = responseMediaType(response, address);
  if (!isPageType(mediaType)) {
    return { bytes: streamBody(response), mediaType: mediaType === '' ? null : mediaType };
  }
  try {
    const bytes = await readBody(response, pageLimits);
    const text = pageText(bytes, response.headers.get('content-type'));
    return { bytes: Buffer.from(text), mediaType: 'text/html' };
  } catch (error) {
    if (!(error instanceof BodyLimitError)) throw error;
    throw context.error('connector_unhealthy', `${address.href} is ${error.message}.`);
  }
}
