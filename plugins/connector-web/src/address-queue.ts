import { trapReasonOf } from './address.js';
import type { WebConfig } from './config.js';
import { Exclusion } from './exclusion.js';
import { isLikelyDocument, isUnwanted } from './address-kinds.js';
import type { PageBudget } from './page-budget.js';
import type { RobotsRules } from './robots.js';
import type { Site } from './site.js';
import type { CrawlTally } from './tally.js';

/** The limit of addresses that differ only in their query. A calendar has an unlimited number. */
const maxVariants = 100;

export interface QueuedAddress {
  readonly address: URL;
  /** Number of links from the first page. */
  readonly depth: number;
}

/** Passes on an address outside the site. Returns false if it does not belong to the source. */
export type OfferAddress = (address: URL, depth: number, isUrgent: boolean) => boolean;

export interface AddressQueueParts {
  readonly config: WebConfig;
  readonly site: Site;
  readonly robots: RobotsRules;
  readonly tally: CrawlTally;
  readonly budget: PageBudget;
  readonly offer: OfferAddress;
}

/** The addresses to visit, without duplicates, in the order of discovery. */
export class AddressQueue {
  readonly #parts: AddressQueueParts;
  readonly #exclusion: Exclusion;
  readonly #seen = new Set<string>();
  readonly #variants = new Map<string, number>();
  #waiting: QueuedAddress[] = [];
  #position = 0;

  constructor(parts: AddressQueueParts) {
    this.#parts = parts;
    this.#exclusion = new Exclusion(parts.config.exclude);
  }

  get length(): number {
    return this.#waiting.length - this.#position;
  }

  next(): QueuedAddress | undefined {
    const next = this.#waiting[this.#position++];
    if (next === undefined) this.#position = this.#waiting.length;
    // Drops visited addresses occasionally, because moving the rest each time would take quadratic time.
    if (this.#position > 1000 && this.#position * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#position);
      this.#position = 0;
    }
    return next;
  }

  /** Returns the canonical form of an address; null if it does not belong to the source. */
  normalize(address: URL): URL | null {
    const { site, config } = this.#parts;
    const own = site.normalize(address);
    if (own !== null && !config.query_strings) own.search = '';
    return own;
  }

  /** Adds a link in the form that `parseAddress` returns. */
  addLink(href: string, depth: number): void {
    // Most links of a page occur on every page, so known links are not parsed again.
    if (!this.#seen.has(href)) this.add(new URL(href), depth);
  }

  /** Adds an address; `isUrgent` puts it first. Returns false for an address outside the source. */
  add(url: URL, depth: number, isUrgent = false): boolean {
    const { config, tally, budget, offer } = this.#parts;
    const address = this.normalize(url);
    if (address === null) return offer(url, depth, isUrgent);
    if (this.#seen.has(address.href)) return true;
    if (isUnwanted(address) || (!config.documents && isLikelyDocument(address))) return true;
    const reason = this.#skipReason(address, depth);
    this.#seen.add(address.href);
    budget.addAddress();
    if (reason !== null) tally.skip(reason, address);
    else if (isUrgent) this.#waiting.splice(this.#position, 0, { address, depth });
    else this.#waiting.push({ address, depth });
    return true;
  }

  /** Counts the remaining addresses as skipped, and removes them. */
  skipRest(): void {
    const rest = this.#waiting.slice(this.#position);
    for (const { address } of rest) this.#parts.tally.skip('pages', address);
    this.#waiting = [];
    this.#position = 0;
  }

  #skipReason(address: URL, depth: number): Parameters<CrawlTally['skip']>[0] | null {
    const { config, robots, budget } = this.#parts;
    if (this.#exclusion.covers(address)) return 'excluded';
    if (!budget.hasRoom) return 'pages';
    if (depth > config.max_depth) return 'depth';
    if (trapReasonOf(address) !== null) return 'circles';
    if (!robots.allows(address)) return 'robots';
    return this.#hasTooManyVariants(address) ? 'variants' : null;
  }

  #hasTooManyVariants({ pathname, search }: URL): boolean {
    if (search === '') return false;
    const variants = (this.#variants.get(pathname) ?? 0) + 1;
    this.#variants.set(pathname, variants);
    return variants > maxVariants;
  }
}
