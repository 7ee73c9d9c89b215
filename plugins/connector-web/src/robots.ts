import { createRequire } from 'node:module';

import { addressOf } from './address.js';
import type { CrawlState } from './crawl-state.js';
import type { Site } from './site.js';
import { bodyOf, discard, locationOf, type Context, type Web } from './web.js';

type Parse = (typeof import('robots-parser'))['default'];

/** Its types describe a default export, which it does not have. */
const robotsParser: Parse = createRequire(import.meta.url)('robots-parser');

/** What rules may call this crawler. */
const name = 'Trove';
const limits = { maxBytes: 500 * 1024, maxMs: 20_000 };
const mostRedirects = 5;
/** Characters of rules with wildcards: each address is compared with all of them, at each of its characters. */
const mostWildcardChars = 16 * 1024;
const wildcardRule = /^\s*(?:dis)?allow\s*:.*\*/i;
/** Whoever wants more time between two pages would have a site crawled for weeks. */
const longestDelayMs = 60_000;

/** What a site asks crawlers to do. */
export interface Robots {
  allows(address: URL): boolean;
  readonly delayMs: number;
  /** Addresses. */
  readonly sitemaps: readonly string[];
}

const everything: Robots = { allows: () => true, delayMs: 0, sitemaps: [] };

/**
 * The rules of a site. Without a robots.txt, everything is allowed; one that cannot be had now may forbid everything: the
 * last one is obeyed, and without one `connector_unhealthy` is thrown.
 */
export async function robotsOf(
  context: Context,
  site: Site,
  web: Web,
  state: CrawlState,
  signal: AbortSignal,
): Promise<Robots> {
  if (!context.config.robots) return everything;
  const found = await fetched(site, web, signal);
  if (typeof found === 'string') {
    await state.keepRobots(found);
    return rulesIn(found, site);
  }
  const kept = await state.robots();
  if (kept !== null) return rulesIn(kept, site);
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
async function fetched(
  site: Site,
  web: Web,
  signal: AbortSignal,
): Promise<string | { readonly status: number }> {
  let address = new URL('/robots.txt', site.root);
  for (let hops = 0; hops <= mostRedirects; hops++) {
    const answer = await web.ask(address, site, { signal });
    const { status } = answer;
    const location = locationOf(answer);
    if (location === null) {
      if (status === 200) return textOf(answer);
      await discard(answer);
      return status >= 500 || status === 429 ? { status } : '';
    }
    await discard(answer);
    const next = addressOf(location, address);
    // Rules of another site would be those of somebody else.
    if (next === null || !site.isSameSite(next)) return '';
    address = next;
  }
  return '';
}

async function textOf(answer: Response): Promise<string> {
  const bytes = await bodyOf(answer, limits).catch(() => Buffer.alloc(0));
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  // A page that says that there is nothing, or a login.
  return /^\s*</.test(text) ? '' : text;
}

function rulesIn(text: string, { root }: Site): Robots {
  const rules = robotsParser(new URL('/robots.txt', root).href, affordable(text));
  return {
    allows: (address) => rules.isAllowed(address.href, name) !== false,
    delayMs: Math.min(longestDelayMs, 1000 * (rules.getCrawlDelay(name) ?? 0)),
    sitemaps: rules.getSitemaps(),
  };
}

/** The rules without those that it would take too long to obey. */
function affordable(text: string): string {
  let left = mostWildcardChars;
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
