import { createRequire } from 'node:module';

import { parseAddress } from './address.js';
import type { CrawlState } from './crawl-state.js';
import type { Site } from './site.js';
import { readBody, discard, locationOf, type WebContext, type SiteClient } from './site-client.js';

type Parse = (typeof import('robots-parser'))['default'];

/** Its types describe a default export, which it does not have. */
const robotsParser: Parse = createRequire(import.meta.url)('robots-parser');

/** What rules may call this crawler. */
const crawlerName = 'Trove';
const limits = { maxBytes: 500 * 1024, maxMs: 20_000 };
const maxRedirects = 5;
/** Characters of rules with wildcards: each address is compared with all of them, at each of its characters. */
const maxWildcardChars = 16 * 1024;
const wildcardRule = /^\s*(?:dis)?allow\s*:.*\*/i;
/** Whoever wants more time between two pages would have a site crawled for weeks. */
const maxDelayMs = 60_000;

/** What a site asks crawlers to do. */
export interface RobotsRules {
  allows(address: URL): boolean;
  readonly delayMs: number;
  /** Addresses. */
  readonly sitemaps: readonly string[];
}

const allowAll: RobotsRules = { allows: () => true, delayMs: 0, sitemaps: [] };

/**
 * The rules of a site. Without a robots.txt, everything is allowed; one that cannot be had now may forbid everything: the
 * last one is obeyed, and without one `connector_unhealthy` is thrown.
 */
export async function loadRobots(
  context: WebContext,
  site: Site,
  web: SiteClient,
  state: CrawlState,
  signal: AbortSignal,
): Promise<RobotsRules> {
  if (!context.config.robots) return allowAll;
  const found = await fetchRobots(site, web, signal);
  if (typeof found === 'string') {
    await state.storeRobots(found);
    return parseRobots(found, site);
  }
  const kept = await state.loadRobots();
  if (kept !== null) return parseRobots(kept, site);
  throw context.error(
    'connector_unhealthy',
    `robots.txt of ${site.root.host} cannot be read (HTTP ${found.status}), and nobody knows whether it allows anything.`,
    {
      retryable: true,
      suggestions: ['Try again later; for a site of your own, set `robots` to false.'],
    },
  );
}

/** Its text, '' when there is none, or the status that leaves it unknown. */
async function fetchRobots(
  site: Site,
  web: SiteClient,
  signal: AbortSignal,
): Promise<string | { readonly status: number }> {
  let address = new URL('/robots.txt', site.root);
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const answer = await web.request(address, site, { signal });
    const { status } = answer;
    const location = locationOf(answer);
    if (location === null) {
      if (status === 200) return textOf(answer);
      await discard(answer);
      return status >= 500 || status === 429 ? { status } : '';
    }
    await discard(answer);
    const next = parseAddress(location, address);
    // Rules of another site would be those of somebody else.
    if (next === null || !site.isSameSite(next)) return '';
    address = next;
  }
  return '';
}

async function textOf(answer: Response): Promise<string> {
  const bytes = await readBody(answer, limits).catch(() => Buffer.alloc(0));
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  // A page that says that there is nothing, or a login.
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

/** The rules without those that it would take too long to obey. */
function limitWildcards(text: string): string {
  let left = maxWildcardChars;
  const isKept = (line: string): boolean => {
    if (!wildcardRule.test(line)) return true;
    left -= line.length;
    return left >= 0;
  };
  return text
    .split(/\r\n|\r|\n/)
    .filter(isKept)
    .join('\n');
}
