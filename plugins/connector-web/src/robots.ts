import { createRequire } from 'node:module';

import { parseAddress } from './address.js';
import type { CrawlState } from './crawl-state.js';
import type { Site } from './site.js';
import { readBody, discard, locationOf, type WebContext, type SiteClient } from './site-client.js';

type Parse = (typeof import('robots-parser'))['default'];

/** Loaded with `require`, because its types describe a missing default export. */
const robotsParser: Parse = createRequire(import.meta.url)('robots-parser');

/** The user agent of this crawler in robots.txt. */
const crawlerName = 'Trove';
const limits = { maxBytes: 500 * 1024, maxMs: 20_000 };
const maxRedirects = 5;
/** Limit for rules with wildcards, because matching an address against them is slow. */
const maxWildcardChars = 16 * 1024;
const wildcardRule = /^\s*(?:dis)?allow\s*:.*\*/i;
/** A longer `Crawl-delay` is capped, because the crawl would take weeks. */
const maxDelayMs = 60_000;

/** The rules of a site for crawlers. */
export interface RobotsRules {
  allows(address: URL): boolean;
  readonly delayMs: number;
  /** Addresses of sitemaps. */
  readonly sitemaps: readonly string[];
}

const allowAll: RobotsRules = { allows: () => true, delayMs: 0, sitemaps: [] };

/**
 * Loads the rules of a site. Without a robots.txt, every address is allowed. If robots.txt cannot be read, the last stored
 * one applies. Throws `connector_unhealthy` if there is none, because the site may forbid everything.
 */
export async function loadRobots(
  context: WebContext,
  site: Site,
  client: SiteClient,
  state: CrawlState,
  signal: AbortSignal,
): Promise<RobotsRules> {
  if (!context.config.robots) return allowAll;
  const fetched = await fetchRobots(site, client, signal);
  if (typeof fetched === 'string') {
    await state.storeRobots(fetched);
    return parseRobots(fetched, site);
  }
  const stored = await state.loadRobots();
  if (stored !== null) return parseRobots(stored, site);
  throw context.error(
    'connector_unhealthy',
    `robots.txt of ${site.root.host} cannot be read (HTTP ${fetched.status}), so Trove does not know which pages it allows.`,
    {
      retryable: true,
      suggestions: ['Try again later. If the site is yours, set `robots` to false.'],
    },
  );
}

/** Returns the text of robots.txt, '' if it does not exist, or the status if it cannot be read. */
async function fetchRobots(
  site: Site,
  client: SiteClient,
  signal: AbortSignal,
): Promise<string | { readonly status: number }> {
  let address = new URL('/robots.txt', site.root);
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const response = await client.request(address, site, { signal });
    const { status } = response;
    const location = locationOf(response);
    if (location === null) {
      if (status === 200) return textOf(response);
      await discard(response);
      return status >= 500 || status === 429 ? { status } : '';
    }
    await discard(response);
    const next = parseAddress(location, address);
    // The rules of another site do not apply.
    if (next === null || !site.isSameSite(next)) return '';
    address = next;
  }
  return '';
}

async function textOf(response: Response): Promise<string> {
  const bytes = await readBody(response, limits).catch(() => Buffer.alloc(0));
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  // An HTML page, such as an error page or a login.
  return /^\s*</.test(text) ? '' : text;
}

function parseRobots(text: string, { root }: Site): RobotsRules {
  const rules = robotsParser(new URL('/robots.txt', root).href, limitWildcards(text));
  return {
    allows: (address) => rules.isAllowed(address.href, crawlerName) !== false,
    delayMs: Math.min(maxDelayMs, 1000 * (rules.getCrawlDelay(crawlerName) ?? 0)),
    sitemaps: rules.getSitemaps(),
  };
}

/** Removes wildcard rules above the limit. */
function limitWildcards(text: string): string {
  let remaining = maxWildcardChars;
  const isWithinLimit = (line: string): boolean => {
    if (!wildcardRule.test(line)) return true;
    remaining -= line.length;
    return remaining >= 0;
  };
  return text
    .split(/\r\n|\r|\n/)
    .filter(isWithinLimit)
    .join('\n');
}
