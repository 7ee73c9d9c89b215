import { setImmediate as immediate } from 'node:timers/promises';
import type { Entry } from '@trove/core';

import { parseAddress } from './address.js';
import type { CrawlState } from './crawl-state.js';
import { documentEntry, skippedEntry, pageEntry } from './entries.js';
import type { FetchedPage } from './page-store.js';
import type { PageBudget } from './page-budget.js';
import { PathAssignment } from './path-assignment.js';
import type { AddressQueue, QueuedAddress } from './address-queue.js';
import type { Site } from './site.js';
import type { CrawlTally } from './tally.js';
import type { VisitResult } from './visit.js';
import type { WebContext } from './site-client.js';

/** Longest time without a pause for other work. */
const maxTurnMs = 20;
/** The site counts as down after this many consecutive addresses without an answer. */
const maxUnanswered = 10;

export interface CrawlParts {
  readonly context: WebContext;
  readonly site: Site;
  readonly queue: AddressQueue;
  readonly tally: CrawlTally;
  readonly budget: PageBudget;
  readonly state: CrawlState;
  /** The times of pages' last changes in the sitemap, by address. */
  readonly sitemapTimes: ReadonlyMap<string, number>;
  readonly visit: (address: URL) => Promise<VisitResult>;
}

/** A page that names another page as its original. */
interface PageCopy {
  readonly queued: QueuedAddress;
  readonly page: FetchedPage;
  readonly of: string;
}

interface PendingVisit {
  readonly queued: QueuedAddress;
  readonly visit: Promise<VisitResult>;
}

/** Visits the addresses in the queue and those they link to. Yields entries in the order of links. */
export class Crawl {
  readonly #parts: CrawlParts;
  readonly #paths: PathAssignment;
  readonly #visiting: PendingVisit[] = [];
  readonly #copies: PageCopy[] = [];
  /** Addresses with entries. */
  readonly #visited = new Set<string>();
  #unanswered = 0;

  constructor(parts: CrawlParts) {
    this.#parts = parts;
    this.#paths = new PathAssignment(parts.site, (address) => parts.state.addExact(address));
  }

  /** Whether there is no address left to visit. */
  get isIdle(): boolean {
    return this.#visiting.length === 0 && this.#parts.queue.length === 0;
  }

  /**
   * Entries of the next address. Throws `connector_unhealthy` when the site stops answering, and an error with
   * `retryAfterMs` when it requests a pause.
   */
  async *next(): AsyncGenerator<Entry, void, undefined> {
    this.#beginVisits();
    const first = this.#visiting.shift();
    if (first !== undefined) yield* this.#entriesOf(first.queued, await first.visit);
  }

  /** Entries of copies whose original does not exist. Visits no more addresses. */
  async *finish(): AsyncGenerator<Entry, void, undefined> {
    const { queue, tally } = this.#parts;
    for (const { queued } of this.#visiting.splice(0)) tally.skip('pages', queued.address);
    queue.skipRest();
    yield* this.#orphanCopies();
  }

  #beginVisits(): void {
    const { context, queue, visit } = this.#parts;
    while (this.#visiting.length < context.config.connections) {
      const queued = queue.next();
      if (queued === undefined) return;
      const visiting = visit(queued.address);
      // Awaited later, unless the crawl ends first.
      visiting.catch(() => undefined);
      this.#visiting.push({ queued, visit: visiting });
    }
  }

  async *#entriesOf(
    queued: QueuedAddress,
    visit: VisitResult,
  ): AsyncGenerator<Entry, void, undefined> {
    const { tally } = this.#parts;
    const { address } = queued;
    this.#unanswered = visit.kind === 'failed' && visit.isSilent ? this.#unanswered + 1 : 0;
    if (visit.kind === 'moved') this.#followRedirect(queued, visit.to);
    else if (visit.kind === 'left_out')
      yield this.#skippedEntry(address, visit.reason, visit.mediaType);
    else if (visit.kind === 'document') {
      const path = await this.#paths.assign(address, visit.document.mediaType, null);
      if (path === null) return;
      this.#addVisited(address);
      yield documentEntry(path, visit.document, address);
    } else if (visit.kind === 'page') yield* this.#pageEntries(queued, visit.page);
    else if (visit.kind === 'failed') {
      tally.fail(address, visit.reason, visit.page !== null);
      if (this.#unanswered >= maxUnanswered) throw this.#siteDownError(visit.reason);
      if (visit.page !== null) yield* this.#pageEntries(queued, visit.page);
      else
        yield this.#skippedEntry(address, `it could not be fetched: ${visit.reason}`, 'text/html');
    }
  }

  #skippedEntry(address: URL, reason: string, mediaType: string): Entry {
    return skippedEntry(this.#paths.assignSkipped(address, mediaType), reason, address);
  }

  #followRedirect({ address, depth }: QueuedAddress, to: string): void {
    const { queue, tally } = this.#parts;
    const next = parseAddress(to, address);
    if (next === null || !queue.add(next, depth, true)) tally.skip('elsewhere', address);
  }

  /** Adds links with pauses, because matching thousands of links against robots.txt may take long. */
  async #addLinks(links: readonly string[], depth: number): Promise<void> {
    let since = performance.now();
    for (const link of links) {
      this.#parts.queue.addLink(link, depth);
      if (performance.now() - since < maxTurnMs) continue;
      await immediate();
      since = performance.now();
    }
  }

  async *#pageEntries(
    queued: QueuedAddress,
    page: FetchedPage,
  ): AsyncGenerator<Entry, void, undefined> {
    const { context, queue } = this.#parts;
    const { address, depth } = queued;
    const { facts } = page;
    const obeysRobots = context.config.robots;
    if (facts.refresh !== null && facts.refresh !== address.href) {
      this.#followRedirect(queued, facts.refresh);
      return;
    }
    const original = this.#originalOf(address, facts.canonical);
    if (original !== null) {
      this.#copies.push({ queued, page, of: original.href });
      queue.add(original, depth, true);
    }
    if (!obeysRobots || !facts.nofollow) {
      await this.#addLinks(facts.links, depth + 1);
    }
    if (original !== null) return;
    if (obeysRobots && facts.noindex)
      yield this.#skippedEntry(address, 'it must not be indexed (noindex)', 'text/html');
    else yield* this.#entryOf(address, page);
  }

  async *#entryOf(address: URL, page: FetchedPage): AsyncGenerator<Entry, void, undefined> {
    const path = await this.#paths.assign(address, 'text/html', page.facts.fingerprint);
    if (path === null) return this.#parts.tally.skip('copies', address);
    this.#addVisited(address);
    yield pageEntry(path, page, this.#parts.sitemapTimes.get(address.href) ?? null);
  }

  #addVisited(address: URL): void {
    this.#visited.add(address.href);
    this.#parts.budget.takePage();
  }

  /** Returns the original that a page names, unless it is obviously wrong. */
  #originalOf(address: URL, canonical: string | null): URL | null {
    const { queue, site } = this.#parts;
    const stated = canonical === null ? null : parseAddress(canonical, address);
    const original = stated === null ? null : queue.normalize(stated);
    if (original === null || original.href === address.href) return null;
    // Templates often name the front page as the original of every page by mistake.
    const isFront = site.isFrontPage(original) && original.pathname !== address.pathname;
    return isFront ? null : original;
  }

  /** Yields copies whose original does not exist. */
  async *#orphanCopies(): AsyncGenerator<Entry, void, undefined> {
    const originals = new Map(this.#copies.map(({ queued, of }) => [queued.address.href, of]));
    for (const { queued, page } of this.#copies) {
      if (this.#parts.budget.isSpent) return;
      if (!this.#leadsToVisited(queued.address.href, originals)) {
        if (this.#parts.context.config.robots && page.facts.noindex) continue;
        yield* this.#entryOf(queued.address, page);
      }
    }
  }

  #leadsToVisited(from: string, originals: ReadonlyMap<string, string>): boolean {
    const seen = new Set<string>();
    for (
      let at: string | undefined = from;
      at !== undefined && !seen.has(at);
      at = originals.get(at)
    ) {
      if (this.#visited.has(at)) return true;
      seen.add(at);
    }
    return false;
  }

  #siteDownError(reason: string): Error {
    const { context, site } = this.#parts;
    return context.error('connector_unhealthy', `${site.root.host} stopped answering: ${reason}`, {
      retryable: true,
      suggestions: ['No page is removed. The next sync continues.'],
    });
  }
}
