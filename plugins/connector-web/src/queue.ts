import { PathPattern } from '@trove/core/glob';

import { trapOf } from './address.js';
import type { WebConfig } from './config.js';
import { isLikelyDocument, isUnwanted } from './kinds.js';
import type { Robots } from './robots.js';
import type { Site } from './site.js';
import type { Tally } from './tally.js';

/** Addresses of one page that differ in what follows `?`: a calendar has them without end. */
const mostVariants = 100;
/** Of addresses that are not pages, for each page that is wanted. */
const asManyAgain = 5;

export interface Waiting {
  readonly address: URL;
  /** Links away from the first page. */
  readonly depth: number;
}

/** The addresses that are still to be visited, each once, in the order in which they were met. */
export class Queue {
  readonly #config: WebConfig;
  readonly #site: Site;
  readonly #robots: Robots;
  readonly #tally: Tally;
  readonly #exclude: readonly PathPattern[];
  readonly #seen = new Set<string>();
  readonly #variants = new Map<string, number>();
  #waiting: Waiting[] = [];
  #at = 0;

  constructor(config: WebConfig, site: Site, robots: Robots, tally: Tally) {
    this.#config = config;
    this.#site = site;
    this.#robots = robots;
    this.#tally = tally;
    this.#exclude = config.exclude.flatMap((pattern) => PathPattern.parse(pattern) ?? []);
  }

  get length(): number {
    return this.#waiting.length - this.#at;
  }

  next(): Waiting | undefined {
    const next = this.#waiting[this.#at++];
    if (next === undefined) this.#at = this.#waiting.length;
    // What was taken is let go now and then: to move the rest each time would take ever longer.
    if (this.#at > 1000 && this.#at * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#at);
      this.#at = 0;
    }
    return next;
  }

  /** The address in the one form that this site has for it; null if it is not of this source. */
  own(address: URL): URL | null {
    const own = this.#site.own(address);
    if (own !== null && !this.#config.query_strings) own.search = '';
    return own;
  }

  /** A link of a page, in the form that `addressOf` has for it. */
  addLink(href: string, depth: number): void {
    // Most links of a page are on every page: these need not be taken apart again.
    if (!this.#seen.has(href)) this.add(new URL(href), depth);
  }

  /** `isUrgent`: it comes next. */
  add(found: URL, depth: number, isUrgent = false): void {
    const address = this.own(found);
    if (address === null || this.#seen.has(address.href)) return;
    if (isUnwanted(address) || (!this.#config.documents && isLikelyDocument(address))) return;
    const refusal = this.#refusal(address, depth);
    this.#seen.add(address.href);
    if (refusal !== null) {
      this.#tally.leave(refusal, address);
      return;
    }
    if (isUrgent) this.#waiting.splice(this.#at, 0, { address, depth });
    else this.#waiting.push({ address, depth });
  }

  /** How many are met and not visited. */
  leaveRest(): void {
    const rest = this.#waiting.slice(this.#at);
    for (const { address } of rest) this.#tally.leave('pages', address);
    this.#waiting = [];
    this.#at = 0;
  }

  #refusal(address: URL, depth: number): Parameters<Tally['leave']>[0] | null {
    if (this.#isExcluded(address)) return 'excluded';
    if (this.#seen.size >= this.#config.max_pages * asManyAgain + 1000) return 'pages';
    if (depth > this.#config.max_depth) return 'depth';
    if (trapOf(address) !== null) return 'circles';
    if (!this.#robots.allows(address)) return 'robots';
    return this.#isVariantTooMany(address) ? 'variants' : null;
  }

  #isVariantTooMany({ pathname, search }: URL): boolean {
    if (search === '') return false;
    const variants = (this.#variants.get(pathname) ?? 0) + 1;
    this.#variants.set(pathname, variants);
    return variants > mostVariants;
  }

  #isExcluded({ pathname, search }: URL): boolean {
    if (this.#exclude.length === 0) return false;
    const path = `${pathname.replace(/\/$/, '')}${search}`.replace(/^\//, '');
    const folders = path.split('/').map((_, at, names) => names.slice(0, at + 1).join('/'));
    return this.#exclude.some((pattern) =>
      folders.some((each) => pattern.matches(each, each.slice(each.lastIndexOf('/') + 1))),
    );
  }
}
