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

/** How long other work waits at most, in milliseconds. */
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
  readonly mapped: ReadonlyMap<string, number>;
  readonly visit: (address: URL) => Promise<VisitResult>;
}

/** A page that names another page as its original. */
interface PageCopy {
  readonly waiting: QueuedAddress;
  readonly page: FetchedPage;
  readonly of: string;
}

interface PendingVisit {
  readonly waiting: QueuedAddress;
  readonly visit: Promise<VisitResult>;
}

/** Visits the addresses in the queue and those they link to. Yields entries in the order of links. */
export class Crawl {
  readonly #parts: CrawlParts;
  readonly #places: PathAssignment;
  readonly #visiting: PendingVisit[] = [];
  readonly #copies: PageCopy[] = [];
  /** Addresses with entries. */
  readonly #met = new Set<string>();
  #silent = 0;

  constructor(parts: CrawlParts) {
    this.#parts = parts;
    this.#places = new PathAssignment(parts.site, (address) => parts.state.addExact(address));
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
    if (first !== undefined) yield* this.#entriesOf(first.waiting, await first.visit);
  }

  /** Entries of copies whose original does not exist. Visits no more addresses. */
  async *finish(): AsyncGenerator<Entry, void, undefined> {
    const { queue, tally } = this.#parts;
    for (const { waiting } of this.#visiting.splice(0)) tally.skip('pages', waiting.address);
    queue.skipRest();
    yield* this.#leftCopies();
  }

  #beginVisits(): void {
    const { context, queue, visit } = this.#parts;
    while (this.#visiting.length < context.config.connections) {
      const waiting = queue.next();
      if (waiting === undefined) return;
      const begun = visit(waiting.address);
      // Awaited later, unless the crawl ends first.
      begun.catch(() => undefined);
      this.#visiting.push({ waiting, visit: begun });
    }
  }

  async *#entriesOf(
    waiting: QueuedAddress,
    visit: VisitResult,
  ): AsyncGenerator<Entry, void, undefined> {
    const { tally } = this.#parts;
    const { address } = waiting;
    this.#silent = visit.kind === 'failed' && visit.isSilent ? this.#silent + 1 : 0;
    if (visit.kind === 'moved') this.#follow(waiting, visit.to);
    else if (visit.kind === 'left') yield this.#left(address, visit.reason, visit.mediaType);
    else if (visit.kind === 'document') {
      const path = await this.#places.assign(address, visit.document.mediaType, null);
      if (path === null) return;
      this.#take(address);
      yield documentEntry(path, visit.document, address);
    } else if (visit.kind === 'page') yield* this.#ofPage(waiting, visit.page);
    else if (visit.kind === 'failed') {
      tally.fail(address, visit.reason, visit.page !== null);
      if (this.#silent >= maxUnanswered) throw this.#down(visit.reason);
      if (visit.page !== null) yield* this.#ofPage(waiting, visit.page);
      else yield this.#left(address, `it could not be fetched: ${visit.reason}`, 'text/html');
    }
  }

  #left(address: URL, reason: string, mediaType: string): Entry {
    return skippedEntry(this.#places.assignSkipped(address, mediaType), reason, address);
  }

  #follow({ address, depth }: QueuedAddress, to: string): void {
    const { queue, tally } = this.#parts;
    const next = parseAddress(to, address);
    if (next === null || !queue.add(next, depth, true)) tally.skip('elsewhere', address);
  }

  /** With pauses: rules of the site may take long to compare with thousands of links. */
  async #addLinks(links: readonly string[], depth: number): Promise<void> {
    let since = performance.now();
    for (const link of links) {
      this.#parts.queue.addLink(link, depth);
      if (performance.now() - since < maxTurnMs) continue;
      await immediate();
      since = performance.now();
    }
  }

  async *#ofPage(
    waiting: QueuedAddress,
    page: FetchedPage,
  ): AsyncGenerator<Entry, void, undefined> {
    const { context, queue } = this.#parts;
    const { address, depth } = waiting;
    const { facts } = page;
    const obeys = context.config.robots;
    if (facts.refresh !== null && facts.refresh !== address.href) {
      this.#follow(waiting, facts.refresh);
      return;
    }
    const original = this.#originalOf(address, facts.canonical);
    if (original !== null) {
      this.#copies.push({ waiting, page, of: original.href });
      queue.add(original, depth, true);
    }
    if (!obeys || !facts.nofollow) {
      await this.#addLinks(facts.links, depth + 1);
    }
    if (original !== null) return;
    if (obeys && facts.noindex)
      yield this.#left(address, 'it asks not to be indexed (noindex)', 'text/html');
    else yield* this.#entryOf(address, page);
  }

  async *#entryOf(address: URL, page: FetchedPage): AsyncGenerator<Entry, void, undefined> {
    const path = await this.#places.assign(address, 'text/html', page.facts.fingerprint);
    if (path === null) return this.#parts.tally.skip('copies', address);
    this.#take(address);
    yield pageEntry(path, page, this.#parts.mapped.get(address.href) ?? null);
  }

  #take(address: URL): void {
    this.#met.add(address.href);
    this.#parts.budget.takePage();
  }

  /** The page that this one says it is a copy of, unless that is wrong on the face of it. */
  #originalOf(address: URL, canonical: string | null): URL | null {
    const { queue, site } = this.#parts;
    const stated = canonical === null ? null : parseAddress(canonical, address);
    const original = stated === null ? null : queue.normalize(stated);
    if (original === null || original.href === address.href) return null;
    // A template that calls every page a copy of the first one is a common mistake.
    const isFront = site.isFrontPage(original) && original.pathname !== address.pathname;
    return isFront ? null : original;
  }

  /** Yields copies whose original does not exist. */
  async *#leftCopies(): AsyncGenerator<Entry, void, undefined> {
    const originals = new Map(this.#copies.map(({ waiting, of }) => [waiting.address.href, of]));
    for (const { waiting, page } of this.#copies) {
      if (this.#parts.budget.isSpent) return;
      if (!this.#leadsToMet(waiting.address.href, originals)) {
        if (this.#parts.context.config.robots && page.facts.noindex) continue;
        yield* this.#entryOf(waiting.address, page);
      }
    }
  }

  #leadsToMet(from: string, originals: ReadonlyMap<string, string>): boolean {
    const passed = new Set<string>();
    for (
      let at: string | undefined = from;
      at !== undefined && !passed.has(at);
      at = originals.get(at)
    ) {
      if (this.#met.has(at)) return true;
      passed.add(at);
    }
    return false;
  }

  #down(reason: string): Error {
    const { context, site } = this.#parts;
    return context.error('connector_unhealthy', `${site.root.host} stopped answering: ${reason}`, {
      retryable: true,
      suggestions: ['Nothing is removed; the next sync goes on.'],
    });
  }
}
