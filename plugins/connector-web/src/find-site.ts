import { addressOf } from './address.js';
import type { CrawlState } from './crawl-state.js';
import { isPageType, mediaTypeIn } from './kinds.js';
import { robotsOf, type Robots } from './robots.js';
import type { Site } from './site.js';
import { discard, locationOf, type Context, type Web } from './web.js';

const mostRedirects = 10;

/** A site that answers. */
export interface FoundSite {
  readonly site: Site;
  readonly robots: Robots;
  /** Where its pages begin; null if there is no page at its root. */
  readonly first: URL | null;
  /** What the first page is. */
  readonly mediaType: string;
}

/**
 * Goes where a site really is: to its encrypted address, with or without `www.`, to its first page. Throws
 * `connector_unhealthy` when it does not answer, wants a login, forbids crawling, or is somewhere else.
 */
export async function findSite(
  context: Context,
  target: Site,
  web: Web,
  state: CrawlState,
  signal: AbortSignal,
): Promise<FoundSite> {
  let site = target;
  let robots = await robotsOf(context, site, web, state, signal);
  let address = site.root;
  for (let hops = 0; hops <= mostRedirects; hops++) {
    if (!robots.allows(address)) throw forbidden(context, address);
    const answer = await web.ask(address, site, { signal });
    await discard(answer);
    const location = locationOf(answer);
    if (location === null) {
      const { status } = answer;
      // A folder may be there without its slash, or have no page of its own.
      if (status === 404 || status === 410) {
        const bare = new URL(address.href.replace(/\/$/, ''));
        if (address.href === bare.href || bare.pathname === '/')
          return { site, robots, first: null, mediaType: '' };
        address = bare;
        continue;
      }
      if (!answer.ok) throw refused(context, address, status);
      return { site, robots, first: address, mediaType: mediaTypeIn(answer, address) };
    }
    const next = addressOf(location, address);
    if (next === null || !site.isSameSite(next)) throw elsewhere(context, address, location);
    if (next.origin !== site.root.origin) {
      site = site.movedTo(next);
      robots = await robotsOf(context, site, web, state, signal);
    }
    if (site.own(next) === null) throw elsewhere(context, address, next.href);
    address = next;
  }
  throw context.error('connector_unhealthy', `${target.root.href} redirects without end.`);
}

/** Whether a first page can be read. */
export function isReadable({ first, mediaType }: FoundSite): boolean {
  return first !== null && (isPageType(mediaType) || mediaType === '');
}

function elsewhere(context: Context, address: URL, to: string): Error {
  const place = addressOf(to, address)?.href ?? to.slice(0, 200);
  return context.error(
    'connector_unhealthy',
    `${address.href} leads to ${place}, which is not below it.`,
    {
      suggestions: [`Add ${place} instead.`],
    },
  );
}

function forbidden(context: Context, address: URL): Error {
  return context.error(
    'connector_unhealthy',
    `robots.txt of ${address.host} forbids ${address.href}.`,
    {
      suggestions: [
        'Add a part of the site that is allowed; for a site of your own, set `robots` to false.',
      ],
    },
  );
}

function refused(context: Context, { href }: URL, status: number): Error {
  if (status === 401 || status === 403 || status === 407) {
    return context.error(
      'connector_unhealthy',
      `${href} asks for a login, or refuses the one it was given (HTTP ${status}).`,
      {
        suggestions: [
          'Set `authorization` or `cookie` to a reference, such as env:DOCS_TOKEN, and check what it holds.',
        ],
      },
    );
  }
  return context.error('connector_unhealthy', `${href} answers with HTTP ${status}.`, {
    retryable: status >= 500,
    suggestions: ['Check the address in a browser; if the site is down, try again later.'],
  });
}
