import type { Content } from '@trove/core';

import { addressOf } from './address.js';
import type { KeptPages } from './kept-pages.js';
import { isPageType, mediaTypeIn } from './kinds.js';
import { pageText } from './page-text.js';
import { addressesAt } from './paths.js';
import type { Site } from './site.js';
import { bodyOf, discard, locationOf, piecesOf, TooMuch, type Context, type Web } from './web.js';

const pageLimits = { maxBytes: 10 * 1024 * 1024, maxMs: 50_000 };
const mostRedirects = 5;

export interface Reading {
  readonly context: Context;
  readonly site: Site;
  readonly pages: KeptPages;
  /** Addresses that are at their exact places only. */
  readonly exact: readonly string[];
  readonly web: Web;
  readonly signal: AbortSignal;
}

/** The content at a path of the tree: the stored page of the last listing, or else the current answer of the site. */
export async function readAt(path: string, reading: Reading): Promise<Content> {
  const { context, site, pages, exact } = reading;
  const isExact = /~\.[a-z0-9]+$/.test(path);
  const addresses = site.isOne && path !== '' ? [] : addressesAt(path, site.root);
  const possible = addresses.filter(
    (address) => site.own(address) !== null && (isExact || !exact.includes(address.href)),
  );
  for (const address of possible) {
    const html = await pages.html(address);
    if (html !== null) return { bytes: html, mediaType: 'text/html' };
  }
  for (const address of possible) {
    const content = await fetched(address, reading);
    if (content !== null) return content;
  }
  throw context.error('not_found', `There is nothing at "${path.slice(0, 200)}".`);
}

/** Null when there is nothing. */
async function fetched(
  first: URL,
  { context, site, web, signal }: Reading,
): Promise<Content | null> {
  let address = first;
  for (let hops = 0; hops <= mostRedirects; hops++) {
    const answer = await web.ask(address, site, { signal });
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
    const next = addressOf(location, address);
    const own = next === null ? null : site.own(next);
    if (own === null) return null;
    address = own;
  }
  return null;
}

async function contentOf(context: Context, address: URL, answer: Response): Promise<Content> {
  const mediaType = mediaTypeIn(answer, address);
  if (!isPageType(mediaType)) {
    return { bytes: piecesOf(answer), mediaType: mediaType === '' ? null : mediaType };
  }
  try {
    const bytes = await bodyOf(answer, pageLimits);
    const text = pageText(bytes, answer.headers.get('content-type'));
    return { bytes: Buffer.from(text), mediaType: 'text/html' };
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    throw context.error('connector_unhealthy', `${address.href} is ${error.message}.`);
  }
}
