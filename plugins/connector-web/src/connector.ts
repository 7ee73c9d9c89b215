import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inSentences, isTroveError } from '@trove/core';
import type { Connector, Entry, Health, ListRequest } from '@trove/core';

import { Crawl } from './crawl.js';
import { CrawlState } from './crawl-state.js';
import { findSite, isReadable, type FoundSite } from './find-site.js';
import { KeptPages } from './kept-pages.js';
import { Queue } from './queue.js';
import { readAt } from './read.js';
import { Site } from './site.js';
import { mappedPages } from './sitemaps.js';
import { Tally } from './tally.js';
import { Visitor } from './visit.js';
import { Web, type Context } from './web.js';

/** The engine waits for ten seconds, and would not know what for. */
const checkMs = 8000;
/** To be raised when the same answers would yield other pages. */
const version = 1;

/** A source of the pages of a site. */
export function createWebConnector(context: Context): Connector {
  const target = Site.of(context.target, context.error);
  return new WebConnector(context, target);
}

interface Kept {
  readonly pages: KeptPages;
  readonly state: CrawlState;
}

class WebConnector implements Connector {
  readonly #context: Context;
  readonly #target: Site;
  readonly #web: Web;
  #kept: Promise<Kept> | null = null;
  /** Where nothing is to be kept, until the connector is closed. */
  #passing: string | null = null;

  constructor(context: Context, target: Site) {
    this.#context = context;
    this.#target = target;
    this.#web = new Web(context);
  }

  async *list({ note, signal }: ListRequest): AsyncGenerator<Entry, void, undefined> {
    const { pages, state } = await this.#opened();
    const { begunAt, hasEnded } = await state.begin(this.#settings);
    const tally = new Tally();
    const ending = new AbortController();
    const until = AbortSignal.any([signal, ending.signal]);
    let isWhole = false;
    let isPaused = false;
    try {
      const found = await findSite(this.#context, this.#target, this.#web, state, until);
      const { site, robots } = found;
      await state.setOrigin(site.root.origin);
      this.#web.slowDownTo(robots.delayMs);
      const queue = new Queue(this.#context.config, site, robots, tally);
      const mapped = await this.#fill(queue, found, note, until);
      const visitor = new Visitor(this.#web, pages);
      const { documents } = this.#context.config;
      const options = { site, documents, listing: begunAt, signal: until };
      const visit = visitor.visit.bind(visitor);
      const crawl = new Crawl({
        context: this.#context,
        site,
        queue,
        tally,
        state,
        mapped,
        visit: (address) => visit(address, options),
      });
      yield* crawl.entries();
      isWhole = true;
    } catch (error) {
      isPaused = isTroveError(error) && error.retryable;
      throw error;
    } finally {
      ending.abort();
      if (!isPaused) await state.end(isWhole);
    }
    for (const sentence of tally.sentences(this.#context.config)) note?.(sentence);
    // What was never fetched may have been indexed on another machine.
    if (!hasEnded && tally.failures > 0) throw this.#incomplete(tally);
  }

  async read(path: string, { signal }: { readonly signal: AbortSignal }) {
    const { pages, state } = await this.#opened();
    const { origin, exact } = await state.load();
    const site = origin === null ? this.#target : this.#target.movedTo(new URL(origin));
    return readAt(path, { context: this.#context, site, pages, exact, web: this.#web, signal });
  }

  async check({ signal }: { readonly signal: AbortSignal }): Promise<Health> {
    const late = AbortSignal.timeout(checkMs);
    const until = AbortSignal.any([signal, late]);
    const { host } = this.#target.root;
    try {
      const { state } = await this.#opened();
      const found = await findSite(this.#context, this.#target, this.#web, state, until);
      return await this.#judged(found, until);
    } catch (problem) {
      signal.throwIfAborted();
      if (late.aborted) {
        const detail = `${host} did not answer within ${checkMs / 1000} seconds. Check the address, and the network.`;
        return { ok: false, detail };
      }
      if (!isTroveError(problem)) throw problem;
      return { ok: false, detail: inSentences(problem) };
    }
  }

  async close(): Promise<void> {
    await this.#kept?.catch(() => null);
    if (this.#passing !== null) await rm(this.#passing, { recursive: true, force: true });
  }

  async #judged(found: FoundSite, signal: AbortSignal): Promise<Health> {
    const { site, first, mediaType, robots } = found;
    const { href } = site.root;
    if (site.isOne && first !== null)
      return { ok: true, detail: `${href} can be read: it is one page or document.` };
    if (first !== null && isReadable(found))
      return { ok: true, detail: `The site answers; it begins at ${first.href}.` };
    for await (const { address } of mappedPages(
      site,
      this.#web,
      robots.sitemaps,
      () => undefined,
      signal,
    )) {
      if (site.own(address) !== null)
        return { ok: true, detail: `The site answers; its sitemap names its pages.` };
    }
    return first === null
      ? {
          ok: false,
          detail: `There is no page at ${href}, and no sitemap that names any below it. Check the address in a browser.`,
        }
      : {
          ok: false,
          detail: `${href} is no page (it is ${mediaType || 'of an unknown type'}). Give the address of a page that links to others.`,
        };
  }

  /** Puts the first page and those of the sitemaps into the queue; when the latter were changed, by address. */
  async #fill(
    queue: Queue,
    { site, first, robots }: FoundSite,
    note: ListRequest['note'],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, number>> {
    const times = new Map<string, number>();
    if (first !== null) queue.add(first, 0);
    let count = first === null ? 0 : 1;
    if (!site.isOne) {
      const mapped = mappedPages(site, this.#web, robots.sitemaps, (said) => note?.(said), signal);
      for await (const { address, modifiedAt } of mapped) {
        const own = queue.own(address);
        if (own === null) continue;
        count++;
        queue.add(own, 1);
        if (modifiedAt !== null && times.size < this.#context.config.max_pages)
          times.set(own.href, modifiedAt);
      }
    }
    if (count === 0) {
      throw this.#context.error(
        'connector_unhealthy',
        `There is no page at ${site.root.href}, and no sitemap that names any below it.`,
        {
          suggestions: ['Check the address in a browser.'],
        },
      );
    }
    return times;
  }

  #incomplete(tally: Tally): Error {
    const { failures, firstFailure } = tally;
    return this.#context.error(
      'listing_incomplete',
      `${failures} of the addresses could not be fetched, such as ${firstFailure}.`,
      { suggestions: ['Sync again: only what is missing or has changed is fetched.'] },
    );
  }

  /** Identifies what decides which pages there are, and what the site answers. */
  get #settings(): string {
    const { authorization, cookie, query_strings: queries } = this.#context.config;
    return createHash('sha256')
      .update(JSON.stringify([version, authorization, cookie, queries]))
      .digest('hex');
  }

  #opened(): Promise<Kept> {
    this.#kept ??= this.#open();
    this.#kept.catch(() => (this.#kept = null));
    return this.#kept;
  }

  async #open(): Promise<Kept> {
    const folder = this.#context.folder ?? (await mkdtemp(join(tmpdir(), 'trove-web-')));
    if (this.#context.folder === undefined) this.#passing = folder;
    const pages = new KeptPages(folder);
    return { pages, state: new CrawlState(folder, pages) };
  }
}
