import { trapOf } from './address.js';
import type { WebConfig } from './config.js';
import { Exclusion } from './exclusion.js';
import { isLikelyDocument, isUnwanted } from './kinds.js';
import type { PageBudget } from './page-budget.js';
import type { Robots } from './robots.js';
import type { Site } from './site.js';
import type { Tally } from './tally.js';

/** The limit of addresses that differ only in their query. A calendar has an unlimited number. */
const mostVariants = 100;

export interface Waiting {
  readonly address: URL;
  /** Links away from the first page. */
  readonly depth: number;
}

/** Passes on an address outside the site. Returns false if it does not belong to the source. */
export type Offer = (address: URL, depth: number, isUrgent: boolean) => boolean;

export interface QueueParts {
  readonly config: WebConfig;
  readonly site: Site;
  readonly robots: Robots;
  readonly tally: Tally;
  readonly budget: PageBudget;
  readonly offer: Offer;
}

/** The addresses to visit, without duplicates, in the order of discovery. */
export class Queue {
  readonly #parts: QueueParts;
  readonly #exclusion: Exclusion;
  readonly #seen = new Set<string>();
  readonly #variants = new Map<string, number>();
  #waiting: Waiting[] = [];
  #at = 0;

  constructor(parts: QueueParts) {
    this.#parts = parts;
    this.#exclusion = new Exclusion(parts.config.exclude);
  }

  get length(): number {
    return this.#waiting.length - this.#at;
  }

  next(): Waiting | undefined {
    const next = this.#waiting[this.#at++];
    if (next === undefined) this.#at = this.#waiting.length;
    // Drops visited addresses occasionally, because moving the rest each time would take quadratic time.
    if (this.#at > 1000 && this.#at * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#at);
      this.#at = 0;
    }
    return next;
  }

  /** The address in the one form that this site has for it; null if it is not of this source. */
  own(address: URL): URL | null {
    const { site, config } = this.#parts;
    const own = site.own(address);
    if (own !== null && !config.query_strings) own.search = '';
    return own;
  }

  /** A link of a page, in the form that `addressOf` has for it. */
  addLink(href: string, depth: number): void {
    // Most links of a page are on every page: these need not be taken apart again.
    if (!this.#seen.has(href)) this.add(new URL(href), depth);
  }

  /** Adds an address; `isUrgent` puts it first. Returns false for an address outside the source. */
  add(found: URL, depth: number, isUrgent = false): boolean {
    const { config, tally, budget, offer } = this.#parts;
    const address = this.own(found);
    if (address === null) return offer(found, depth, isUrgent);
    if (this.#seen.has(address.href)) return true;
    if (isUnwanted(address) || (!config.documents && isLikelyDocument(address))) return true;
    const refusal = this.#refusal(address, depth);
    this.#seen.add(address.href);
    budget.addAddress();
    if (refusal !== null) tally.leave(refusal, address);
    else if (isUrgent) this.#waiting.splice(this.#at, 0, { address, depth });
    else this.#waiting.push({ address, depth });
    return true;
  }

  /** How many are met and not visited. */
  leaveRest(): void {
    const rest = this.#waiting.slice(this.#at);
    for (const { address } of rest) this.#parts.tally.leave('pages', address);
    this.#waiting = [];
    this.#at = 0;
  }

  #refusal(address: URL, depth: number): Parameters<Tally['leave']>[0] | null {
    const { config, robots, budget } = this.#parts;
    if (this.#exclusion.covers(address)) return 'excluded';
    if (!budget.hasRoom) return 'pages';
    if (depth > config.max_depth) return 'depth';
    if (trapOf(address) !== null) return 'circles';
    if (!robots.allows(address)) return 'robots';
    return this.#isVariantTooMany(address) ? 'variants' : null;
  }

  #isVariantTooMany({ pathname, search }: URL): boolean {
    if (search === '') return false;
    const variants = (this.#variants.get(pathname) ?? 0) + 1;
    this.#variants.set(pathname, variants);
    return variants > mostVariants;
  }
}
