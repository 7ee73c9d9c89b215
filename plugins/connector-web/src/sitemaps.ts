import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

import { parseAddress } from './address.js';
import { readMarkup } from './markup.js';
import { timeOf } from './page-facts.js';
import type { Site } from './site.js';
import { readBody, discard, locationOf, type SiteClient } from './site-client.js';

const unzip = promisify(gunzip);
const maxBytes = 50 * 1024 * 1024;
const limits = { maxBytes, maxMs: 120_000 };
const maxSitemaps = 500;
const maxRedirects = 5;

/** A page in a sitemap. */
export interface SitemapPage {
  readonly address: URL;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number | null;
}

interface Sitemap {
  readonly pages: readonly { readonly loc: string; readonly lastmod: string }[];
  readonly sitemaps: readonly string[];
}

/** Yields the pages in the sitemaps of a site. Calls `warn` for each sitemap that cannot be read. */
export async function* readSitemaps(
  site: Site,
  client: SiteClient,
  listedUrls: readonly string[],
  warn: (problem: string) => void,
  signal: AbortSignal,
): AsyncGenerator<SitemapPage, void, undefined> {
  const defaultUrl = new URL('/sitemap.xml', site.root).href;
  const pending = listedUrls.length === 0 ? [defaultUrl] : [...listedUrls];
  const seen = new Set<string>();
  for (let text = pending.shift(); text !== undefined; text = pending.shift()) {
    const address = parseAddress(text, site.root);
    if (address === null || seen.has(address.href)) continue;
    if (!site.isSameSite(address)) {
      warn(`A sitemap on another host was not read: ${text.slice(0, 200)}`);
      continue;
    }
    if (seen.size >= maxSitemaps) return warn(`Only ${maxSitemaps} sitemaps were read.`);
    seen.add(address.href);
    const isOptional = listedUrls.length === 0;
    const sitemap = await fetchSitemap(address, site, client, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      if (requestsPause(error)) throw error;
      return String(error instanceof Error ? error.message : error);
    });
    if (typeof sitemap === 'string') {
      if (!isOptional) warn(`The sitemap ${address.href} could not be read: ${sitemap}`);
      continue;
    }
    pending.push(...sitemap.sitemaps.slice(0, maxSitemaps));
    for (const { loc, lastmod } of sitemap.pages) {
      const page = parseAddress(loc, address);
      if (page !== null) yield { address: page, modifiedAt: timeOf(lastmod) };
    }
  }
}

/** Returns whether an error requests a pause for the whole site. */
export function requestsPause(error: unknown): boolean {
  return error instanceof Error && 'retryAfterMs' in error && error.retryAfterMs !== undefined;
}

/** Fetches a sitemap. Returns the reason if there is none. */
async function fetchSitemap(
  first: URL,
  site: Site,
  client: SiteClient,
  signal: AbortSignal,
): Promise<Sitemap | string> {
  let address = first;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const answer = await client.request(address, site, { signal });
    const location = locationOf(answer);
    if (location === null) {
      if (answer.status === 200) return parseSitemap(await readBody(answer, limits));
      await discard(answer);
      return `HTTP ${answer.status}`;
    }
    await discard(answer);
    const next = parseAddress(location, address);
    if (next === null || !site.isSameSite(next)) return 'it is on another host';
    address = next;
  }
  return 'it redirects without end';
}

async function parseSitemap(bytes: Buffer<ArrayBuffer>): Promise<Sitemap | string> {
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isZipped ? await unzip(bytes, { maxOutputLength: maxBytes }) : bytes;
  const text = plain.toString('utf8').replace(/^\ufeff/, '');
  if (/^\s*https?:\/\//.test(text)) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return { sitemaps: [], pages: lines.map((loc) => ({ loc, lastmod: '' })) };
  }
  const isSitemap = /<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/.test(text.slice(0, 10_000));
  return isSitemap ? parseXml(text) : 'it is not a sitemap';
}

async function parseXml(text: string): Promise<Sitemap> {
  const pages: { loc: string; lastmod: string }[] = [];
  const sitemaps: string[] = [];
  let current = { loc: '', lastmod: '' };
  let textTarget: 'loc' | 'lastmod' | null = null;
  const reader = {
    open: (qualified: string): void => {
      const name = localName(qualified);
      if (name === 'url' || name === 'sitemap') current = { loc: '', lastmod: '' };
      // Elements of images and videos have a prefix.
      textTarget = qualified === 'loc' || qualified === 'lastmod' ? qualified : null;
    },
    text: (piece: string): void => {
      if (textTarget !== null && current[textTarget].length < 4000) current[textTarget] += piece;
    },
    close: (qualified: string): void => {
      textTarget = null;
      const name = localName(qualified);
      if (name === 'url' && current.loc !== '') pages.push(current);
      else if (name === 'sitemap' && current.loc !== '') sitemaps.push(current.loc);
    },
  };
  await readMarkup(text, reader, { xmlMode: true });
  return { pages, sitemaps };
}

function localName(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1);
}
