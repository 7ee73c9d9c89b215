import { describeError, type Entry, type ListRequest, type TroveError } from '@trove/core';

import { Exclusion } from './exclusion.js';
import { HostListing } from './host-listing.js';
import type { SourceHost } from './host.js';
import type { SourceHosts } from './hosts.js';
import { isLikelyDocument, isUnwanted } from './address-kinds.js';
import { PageBudget } from './page-budget.js';
import { siteKey } from './site.js';
import { maxHosts } from './source.js';
import type { WebContext } from './site-client.js';

/** The maximum number of reasons in an error. */
const maxReasons = 10;

/**
 * A listing of all hosts of a source. Hosts take turns, one address each, because `max_pages` applies to all hosts
 * together. A failed host ends only its own part.
 */
export class WebListing {
  readonly #context: WebContext;
  readonly #hosts: SourceHosts;
  readonly #request: ListRequest;
  readonly #budget: PageBudget;
  readonly #exclusion: Exclusion;
  /** Listings by `siteKey`. */
  readonly #listings = new Map<string, HostListing>();
  #isEmpty = true;

  constructor(context: WebContext, hosts: SourceHosts, request: ListRequest) {
    this.#context = context;
    this.#hosts = hosts;
    this.#request = request;
    this.#budget = new PageBudget(context.config.max_pages);
    this.#exclusion = new Exclusion(context.config.exclude);
    for (const host of hosts.startHosts) this.#add(host);
  }

  /**
   * Throws `listing_incomplete` at the end when a host failed, the hosts' errors when all failed, and an error with
   * `retryAfterMs` when a host requests a pause.
   */
  async *entries(): AsyncGenerator<Entry, void, undefined> {
    let isComplete = false;
    try {
      yield* this.#crawl();
      isComplete = true;
    } finally {
      const isPaused = this.#all.some(({ pause }) => pause !== null);
      for (const each of this.#all) await each.end({ isComplete, isPaused });
    }
    this.#warnAll();
    const problem = this.#findError();
    if (problem !== null) throw problem;
    if (this.#isNamed) await this.#hosts.deleteOthers(this.#all.map(({ host }) => host));
  }

  get #all(): HostListing[] {
    return [...this.#listings.values()];
  }

  get #isNamed(): boolean {
    return this.#hosts.startHosts.some(({ isNamed }) => isNamed);
  }

  async *#crawl(): AsyncGenerator<Entry, void, undefined> {
    for (let isIdle = false; !isIdle;) {
      isIdle = true;
      // Includes hosts found during this loop.
      for (const each of this.#listings.values()) {
        if (each.isIdle || this.#budget.isSpent) continue;
        isIdle = false;
        yield* this.#countEntries(each.next());
      }
    }
    for (const each of this.#all) yield* this.#countEntries(each.finish());
  }

  async *#countEntries(entries: AsyncIterable<Entry>): AsyncGenerator<Entry, void, undefined> {
    for await (const entry of entries) {
      this.#isEmpty = false;
      yield entry;
    }
  }

  #add(host: SourceHost): HostListing {
    const listing: HostListing = new HostListing(host, {
      context: this.#context,
      budget: this.#budget,
      isInSource: (address) => this.#hosts.includes(address),
      offer: (address, depth, isUrgent) => this.#offer(listing, address, depth, isUrgent),
      warn: (sentence) => this.#warn(host, sentence),
      signal: this.#request.signal,
    });
    this.#listings.set(siteKey(host.site.root), listing);
    return listing;
  }

  /** Passes an address that a host links to to its own host. Returns false if it does not belong to the source. */
  #offer(from: HostListing, address: URL, depth: number, isUrgent: boolean): boolean {
    const known = this.#listings.get(siteKey(address));
    if (known !== undefined) return known !== from && known.add(address, depth, isUrgent);
    const { max_depth: maxDepth, documents } = this.#context.config;
    const isWanted = !isUnwanted(address) && (documents || !isLikelyDocument(address));
    if (!isWanted || depth > maxDepth || this.#exclusion.covers(address)) return false;
    if (this.#listings.size >= maxHosts && this.#hosts.includes(address)) {
      from.tally.skip('hosts', address);
      return true;
    }
    const host = this.#hosts.linkedHost(address);
    if (host === null || this.#all.some((each) => each.host.label === host.label)) return false;
    return this.#add(host).add(address, depth, isUrgent);
  }

  /** Reports left-out addresses and linked hosts that do not answer. */
  #warnAll(): void {
    for (const { host, tally, failure } of this.#all) {
      for (const sentence of tally.sentences(this.#context.config)) this.#warn(host, sentence);
      if (failure !== null && !host.isStart) this.#warn(host, failure.detail);
    }
  }

  #warn({ label }: SourceHost, sentence: string): void {
    this.#request.warn?.(label === null ? sentence : `${label}: ${sentence}`);
  }

  #findError(): TroveError | null {
    const all = this.#all;
    const pauses = all.flatMap(({ pause }) => pause ?? []);
    const [pause] = pauses.sort((a, b) => (b.retryAfterMs ?? 0) - (a.retryAfterMs ?? 0));
    if (pause !== undefined) return pause;
    const failures = all.flatMap(({ failure }) => failure ?? []);
    if (failures.length === all.length) return this.#allFailedError(failures);
    if (this.#isNamed && this.#isEmpty && failures.length === 0) return this.#noPageError();
    const reasons = all.flatMap((each) => this.#reasonsOf(each));
    if (reasons.length === 0) return null;
    const shown = reasons.slice(0, maxReasons).join(' ');
    const more = reasons.length > maxReasons ? ` And ${reasons.length - maxReasons} more.` : '';
    return this.#context.error('listing_incomplete', shown + more, {
      suggestions: [
        'Sync again. Only missing and changed pages are fetched.',
        ...(failures.length === 0
          ? []
          : ['Remove permanently missing hosts from `start_urls` and `allowed_domains`.']),
      ],
    });
  }

  /** The reasons why pages missing from the listing of a host may still exist. */
  #reasonsOf({ host, failure, problems, tally, hasFinishedBefore }: HostListing): string[] {
    const isFirst = this.#all.some((each) => each.host.isStart && !each.hasFinishedBefore);
    // A linked host that has never answered is not part of the source.
    if (failure !== null)
      return host.isStart || hasFinishedBefore || isFirst ? [describeError(failure)] : [];
    const { failures, firstFailure } = tally;
    // Pages never fetched here may have been indexed on another machine.
    const isMissing = !hasFinishedBefore && failures > 0;
    return [
      ...problems.map(describeError),
      ...(isMissing
        ? [`${failures} of the addresses could not be fetched, such as ${firstFailure}.`]
        : []),
    ];
  }

  #allFailedError(failures: readonly TroveError[]): TroveError | null {
    const [only, ...others] = failures;
    if (only === undefined || others.length === 0) return only ?? null;
    const sentences = failures.slice(0, maxReasons).map(describeError);
    return this.#context.error('connector_unhealthy', sentences.join(' '), {
      retryable: failures.every(({ retryable }) => retryable),
      suggestions: ['Check the addresses in a browser and the network.'],
    });
  }

  #noPageError(): TroveError {
    return this.#context.error('connector_unhealthy', 'No page was found at the start URLs.', {
      suggestions: ['Check `start_urls` in a browser, and the settings `exclude` and `documents`.'],
    });
  }
}
