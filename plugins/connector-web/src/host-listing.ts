import { createHash } from 'node:crypto';
import { isTroveError, type Entry, type TroveError } from '@trove/core';

import { Crawl } from './crawl.js';
import { findLinkedSite, findSite, type ReachableSite } from './site-search.js';
import type { SourceHost } from './host.js';
import type { PageBudget } from './page-budget.js';
import { AddressQueue, type OfferAddress, type QueuedAddress } from './address-queue.js';
import { requestsPause, readSitemaps } from './sitemaps.js';
import { CrawlTally } from './tally.js';
import { Visitor } from './visit.js';
import type { WebContext } from './site-client.js';

/** Raise this when the same responses would yield different pages. */
const version = 1;

export interface HostListingParts {
  readonly context: WebContext;
  readonly budget: PageBudget;
  readonly isInSource: (address: URL) => boolean;
  readonly offer: OfferAddress;
  readonly warn: (sentence: string) => void;
  readonly signal: AbortSignal;
}

/** The listing of one host of a source. */
export class HostListing {
  readonly host: SourceHost;
  /** The reasons why pages of the host may be missing. */
  readonly problems: TroveError[] = [];
  /** The error when the host does not answer or stopped answering. */
  failure: TroveError | null = null;
  /** The error when the host requests a pause. */
  pause: TroveError | null = null;
  /** Whether an earlier listing finished. */
  hasFinishedBefore = false;
  readonly tally = new CrawlTally();
  readonly #parts: HostListingParts;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  /** Links from other hosts, found before the crawl of this host. */
  readonly #linked: QueuedAddress[] = [];
  #hasStarted = false;
  #queue: AddressQueue | null = null;
  #crawl: Crawl | null = null;

  constructor(host: SourceHost, parts: HostListingParts) {
    this.host = host;
    this.#parts = parts;
    this.#signal = AbortSignal.any([parts.signal, this.#ending.signal]);
  }

  /** Whether the host has no addresses left to visit. */
  get isIdle(): boolean {
    if (this.failure !== null || this.pause !== null) return true;
    return this.#hasStarted && (this.#crawl?.isIdle ?? true);
  }

  /** Adds a link from another host. Returns false if it does not belong to the source. */
  add(address: URL, depth: number, isUrgent: boolean): boolean {
    if (this.#queue !== null) return this.#queue.add(address, depth, isUrgent);
    if (this.host.site.normalize(address) === null) return false;
    this.#linked.push({ address, depth });
    return true;
  }

  /** Entries of the next address. A failure of the host is stored and ends only its own listing. */
  async *next(): AsyncGenerator<Entry, void, undefined> {
    try {
      this.#crawl ??= await this.#start();
      yield* this.#withPaths(this.#crawl.next());
    } catch (error) {
      this.#parts.signal.throwIfAborted();
      if (!isTroveError(error)) throw error;
      if (requestsPause(error)) this.pause = error;
      else this.failure = error;
      this.#ending.abort();
    }
  }

  /** Entries that are known only at the end. Visits no more addresses. */
  async *finish(): AsyncGenerator<Entry, void, undefined> {
    if (this.failure !== null || this.pause !== null) return;
    if (this.#crawl !== null) return yield* this.#withPaths(this.#crawl.finish());
    const { starts } = this.host.site;
    for (const address of this.host.isStart ? starts : []) this.tally.skip('pages', address);
    for (const { address } of this.#linked) this.tally.skip('pages', address);
  }

  /** `isComplete`: the listing of the source has finished. `isPaused`: it continues later. */
  async end({ isComplete, isPaused }: { isComplete: boolean; isPaused: boolean }): Promise<void> {
    this.#ending.abort();
    const continues = isPaused || this.failure?.retryable === true;
    const isWhole = isComplete && this.failure === null && this.problems.length === 0;
    if (this.#hasStarted && !continues) await this.host.state.end(isWhole);
  }

  async #start(): Promise<Crawl> {
    const { context, budget, offer } = this.#parts;
    const { host, tally } = this;
    const { config } = context;
    const { begunAt, hasEnded } = await host.state.begin(hashSettings(context));
    this.#hasStarted = true;
    this.hasFinishedBefore = hasEnded;
    const found = await this.#find();
    const { site, robots } = found;
    await host.state.setOrigin(site.root.origin);
    host.client.raiseDelay(robots.delayMs);
    const queue = new AddressQueue({ config, site, robots, tally, budget, offer });
    const sitemapTimes = await this.#fillQueue(queue, found);
    this.#queue = queue;
    const visitor = new Visitor(host.client, host.pages);
    const { documents } = config;
    const options = { site, documents, listingStart: begunAt, signal: this.#signal };
    const visit = visitor.visit.bind(visitor);
    return new Crawl({
      context,
      site,
      queue,
      tally,
      budget,
      state: host.state,
      sitemapTimes,
      visit: (address) => visit(address, options),
    });
  }

  async #find(): Promise<ReachableSite> {
    const { context, isInSource } = this.#parts;
    const options = { context, isInSource, signal: this.#signal };
    if (this.host.isStart) return findSite(this.host, options);
    const linked = await findLinkedSite(this.host, options);
    return { ...linked, startPages: [], absent: [], elsewhere: [], problems: [] };
  }

  /** Queues the first pages and the pages of sitemaps. Returns the times of change in the sitemaps, by address. */
  async #fillQueue(
    queue: AddressQueue,
    found: ReachableSite,
  ): Promise<ReadonlyMap<string, number>> {
    const { context, offer, warn } = this.#parts;
    const { site, robots, startPages, absent, elsewhere } = found;
    const { client, isStart } = this.host;
    for (const { address } of startPages) queue.add(address, 0);
    for (const address of elsewhere) offer(address, 0, false);
    for (const { address, depth } of this.#linked) queue.add(address, depth);
    const times = new Map<string, number>();
    const covered = new Set<URL>();
    if (site.hasFolders) {
      const pages = readSitemaps(site, client, robots.sitemaps, warn, this.#signal);
      for await (const { address, modifiedAt } of pages) {
        const own = queue.normalize(address);
        if (own === null) continue;
        for (const start of absent) if (site.isSamePart(start, own)) covered.add(start);
        queue.add(own, 1);
        if (modifiedAt !== null && times.size < context.config.max_pages)
          times.set(own.href, modifiedAt);
      }
    }
    const missing = absent.filter((start) => !covered.has(start));
    const problems = [...found.problems, ...missing.map((start) => this.#missingPage(start))];
    const hasAny = startPages.length + elsewhere.length + covered.size + this.#linked.length > 0;
    const [problem] = problems;
    if (isStart && !hasAny && problem !== undefined) throw problem;
    this.problems.push(...problems);
    return times;
  }

  #missingPage({ href }: URL): TroveError {
    return this.#parts.context.error(
      'connector_unhealthy',
      `There is no page at ${href}, and no sitemap names a page below it.`,
      { suggestions: ['Check the address in a browser.'] },
    );
  }

  async *#withPaths(
    entries: AsyncGenerator<Entry, void, undefined>,
  ): AsyncGenerator<Entry, void, undefined> {
    for await (const entry of entries) yield { ...entry, path: this.host.pathOf(entry.path) };
  }
}

/** A hash of the settings that affect the set of pages or the answers of the site. */
function hashSettings({ config }: WebContext): string {
  const { authorization, cookie, query_strings: queries } = config;
  return createHash('sha256')
    .update(JSON.stringify([version, authorization, cookie, queries]))
    .digest('hex');
}
