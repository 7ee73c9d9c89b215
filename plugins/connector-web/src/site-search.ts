import type { TroveError } from '@trove/core';

import { parseAddress } from './address.js';
import type { SourceHost } from './host.js';
import { isPageType, responseMediaType } from './address-kinds.js';
import { loadRobots, type RobotsRules } from './robots.js';
import type { Site } from './site.js';
import { discard, locationOf, type WebContext } from './site-client.js';

const maxRedirects = 10;

/** A start page or document of a crawl. */
export interface StartPage {
  readonly address: URL;
  readonly mediaType: string;
}

/** A site that answers. */
export interface ReachableSite {
  readonly site: Site;
  readonly robots: RobotsRules;
  readonly startPages: readonly StartPage[];
  /** Start addresses without a page. Sitemaps may name pages below them. */
  readonly absent: readonly URL[];
  /** Addresses on other hosts of the source that start addresses redirect to. */
  readonly elsewhere: readonly URL[];
  /** Why the pages below other start addresses cannot be found. */
  readonly problems: readonly TroveError[];
}

export interface FindOptions {
  readonly context: WebContext;
  /** Whether an address on another host belongs to the source. */
  readonly isInSource: (address: URL) => boolean;
  /** The maximum number of visited start addresses. Default: all. */
  readonly maxStarts?: number;
  readonly signal: AbortSignal;
}

/** The result of visiting a start address. */
type StartOutcome =
  | { readonly kind: 'page'; readonly page: StartPage }
  | { readonly kind: 'absent'; readonly address: URL }
  | { readonly kind: 'elsewhere'; readonly address: URL }
  | { readonly kind: 'problem'; readonly problem: TroveError };

/**
 * Follows redirects of the start addresses to the actual origin of a site (`https`, with or without `www.`). Throws
 * `connector_unhealthy` when the site does not answer. Also throws when each start address needs a login, is forbidden, or
 * redirects out of the source.
 */
export async function findSite(host: SourceHost, options: FindOptions): Promise<ReachableSite> {
  const search = await SiteSearch.begin(host, options);
  const startPages: StartPage[] = [];
  const absent: URL[] = [];
  const elsewhere: URL[] = [];
  const problems: TroveError[] = [];
  const starts = host.site.starts.slice(0, options.maxStarts);
  for (const start of starts) {
    const outcome = await search.visit(start);
    if (outcome.kind === 'page') startPages.push(outcome.page);
    else if (outcome.kind === 'absent') absent.push(outcome.address);
    else if (outcome.kind === 'elsewhere') elsewhere.push(outcome.address);
    else problems.push(outcome.problem);
  }
  const [problem] = problems;
  if (problem !== undefined && problems.length === starts.length) throw problem;
  const { site, robots } = search;
  return { site, robots, startPages, absent, elsewhere, problems };
}

/** Finds the actual origin of a site that other hosts link to. The linked address itself may have no page. */
export async function findLinkedSite(
  host: SourceHost,
  options: FindOptions,
): Promise<Pick<ReachableSite, 'site' | 'robots'>> {
  const search = await SiteSearch.begin(host, options);
  for (const start of host.site.starts) await search.visit(start);
  return search;
}

/** Whether a first page can be read. */
export function isReadable({ mediaType }: StartPage): boolean {
  return isPageType(mediaType) || mediaType === '';
}

/** Follows start addresses. The site moves with the first redirect to its other origin. */
class SiteSearch {
  site: Site;
  robots: RobotsRules;
  readonly #host: SourceHost;
  readonly #options: FindOptions;

  private constructor(host: SourceHost, options: FindOptions, robots: RobotsRules) {
    this.site = host.site;
    this.robots = robots;
    this.#host = host;
    this.#options = options;
  }

  static async begin(host: SourceHost, options: FindOptions): Promise<SiteSearch> {
    return new SiteSearch(host, options, await loadRules(host, host.site, options));
  }

  async visit(start: URL): Promise<StartOutcome> {
    const { context, isInSource, signal } = this.#options;
    let address = this.site.normalize(start) ?? start;
    let isTried = false;
    for (let hops = 0; hops <= maxRedirects; hops++) {
      if (!this.robots.allows(address)) return toProblem(forbiddenError(context, address));
      const answer = await this.#host.client.request(address, this.site, { signal });
      await discard(answer);
      const location = locationOf(answer);
      if (location === null) {
        const { status } = answer;
        const isAbsent = status === 404 || status === 410;
        if (!isAbsent && !answer.ok) return toProblem(refusedError(context, address, status));
        if (!isAbsent)
          return { kind: 'page', page: { address, mediaType: responseMediaType(answer, address) } };
        // The address of a folder may exist only with or without its slash, or not at all.
        const other = isTried ? null : this.#otherForm(address);
        if (other === null) return { kind: 'absent', address: start };
        isTried = true;
        address = other;
        continue;
      }
      const next = parseAddress(location, address);
      const isSame = next !== null && this.site.isSameSite(next);
      if (next !== null && !isSame && isInSource(next)) return { kind: 'elsewhere', address: next };
      if (next === null || !isSame) return toProblem(this.#leadsOut(address, location));
      if (next.origin !== this.site.root.origin) {
        this.site = this.site.moveTo(next);
        this.robots = await loadRules(this.#host, this.site, this.#options);
      }
      if (this.site.normalize(next) === null) return toProblem(this.#leadsOut(address, next.href));
      address = next;
    }
    return toProblem(context.error('connector_unhealthy', `${start.href} redirects without end.`));
  }

  /** The address with its final slash added or removed; null outside the source. */
  #otherForm(address: URL): URL | null {
    const other = new URL(address);
    const isFolder = address.pathname.endsWith('/');
    other.pathname = isFolder ? address.pathname.slice(0, -1) : `${address.pathname}/`;
    return other.pathname === address.pathname ? null : this.site.normalize(other);
  }

  #leadsOut(address: URL, to: string): TroveError {
    const place = parseAddress(to, address)?.href ?? to.slice(0, 200);
    const { isNamed } = this.#host;
    const [what, advice] = isNamed
      ? ['which is not part of the source', `Write ${place} into \`start_urls\` instead.`]
      : ['which is not below it', `Add ${place} instead.`];
    return this.#options.context.error(
      'connector_unhealthy',
      `${address.href} leads to ${place}, ${what}.`,
      { suggestions: [advice] },
    );
  }
}

function loadRules(
  host: SourceHost,
  site: Site,
  { context, signal }: FindOptions,
): Promise<RobotsRules> {
  return loadRobots(context, site, host.client, host.state, signal);
}

function toProblem(problem: TroveError): StartOutcome {
  return { kind: 'problem', problem };
}

function forbiddenError(context: WebContext, address: URL): TroveError {
  return context.error(
    'connector_unhealthy',
    `robots.txt of ${address.host} forbids ${address.href}.`,
    {
      suggestions: [
        'Add an allowed part of the site. If the site is yours, set `robots` to false.',
      ],
    },
  );
}

function refusedError(context: WebContext, { href }: URL, status: number): TroveError {
  if (status === 401 || status === 403 || status === 407) {
    return context.error(
      'connector_unhealthy',
      `${href} requires a login, or rejects the configured one (HTTP ${status}).`,
      {
        suggestions: [
          'Set `authorization` or `cookie` to a reference, such as env:DOCS_TOKEN, and check its value.',
        ],
      },
    );
  }
  return context.error('connector_unhealthy', `${href} answers with HTTP ${status}.`, {
    retryable: status >= 500,
    suggestions: ['Check the address in a browser. If the site is down, try again later.'],
  });
}
