import { isTroveError, type TroveError } from '@trove/core';

import { FeedArchive, type StoredEntry, type StoredFeed } from './archive/archive.js';
import { documentOf, fingerprintOf } from './archive/document.js';
import { EntryPaths } from './archive/paths.js';
import { FeedClient, type FeedValidators } from './client.js';
import { FeedFormatError, type Feed, type FeedEntry } from './feed.js';
import { feedsOfPage, isPage } from './formats/discovery.js';
import { decodeDocument, parseFeed } from './formats/parse.js';
import type { FeedLocation, RssContext } from './location.js';

/** Limit for documents with older entries. */
const maxPages = 100;
const noValidators: FeedValidators = { etag: null, lastModified: null };

interface LoadedFeed extends FeedValidators {
  readonly feed: Feed;
  /** Address of its document after redirects. */
  readonly address: string;
  /** Address of the next request: the feed itself if a page named it. */
  readonly requestAddress: string;
}

/** One feed of a source, with its archive. */
export class FeedSource {
  readonly location: FeedLocation;
  readonly archive: FeedArchive;
  readonly #context: RssContext;
  readonly #client: FeedClient;

  constructor(location: FeedLocation, context: RssContext, cacheFolder: string) {
    this.location = location;
    this.archive = new FeedArchive(cacheFolder, location.key);
    this.#context = context;
    this.#client = new FeedClient(context, location.address);
  }

  /** Fetches the feed without the archive. */
  async fetch(signal: AbortSignal): Promise<Feed> {
    const loaded = await this.#load(this.location.address, noValidators, signal);
    if (loaded === null) throw this.#notAFeed('its server claims that it has not changed');
    return loaded.feed;
  }

  /** Fetches the feed if it has changed, and stores its entries. `warn` gets sentences about omitted entries. */
  async sync(signal: AbortSignal, warn: (sentence: string) => void): Promise<StoredFeed> {
    const stored = await this.archive.load();
    const first = await this.#loadAgain(stored, signal);
    if (first === null && stored !== null) return stored;
    if (first === null) throw this.#notAFeed('its server claims that it has not changed');
    return this.#store(first, stored, signal, warn);
  }

  /** Fetches the document of an entry without the archive. Returns null for a path without an entry. */
  async fetchDocument(path: string, signal: AbortSignal): Promise<string | null> {
    const first = await this.#load(this.location.address, noValidators, signal);
    if (first === null) return null;
    const paths = new EntryPaths([]);
    for await (const entries of this.#pages(first, new Set(), signal)) {
      const entry = entries.find((each) => paths.assign(each) === path);
      if (entry !== undefined) return documentOf(entry, first.feed.language);
    }
    return null;
  }

  /** Starts at the configured page again if the feed that it named is gone. */
  async #loadAgain(stored: StoredFeed | null, signal: AbortSignal): Promise<LoadedFeed | null> {
    const { address } = this.location;
    if (stored === null) return this.#load(address, noValidators, signal);
    if (stored.address === address) return this.#load(address, stored, signal);
    try {
      return await this.#load(stored.address, stored, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!isTroveError(error) || error.retryable) throw error;
      return this.#load(address, noValidators, signal);
    }
  }

  /**
   * Yields the entries of the feed, and those that further documents add, until one has no new entries. Holds two documents at a
   * time, because many may be large. `known`: the ids of stored entries.
   */
  async *#pages(
    { feed, address }: LoadedFeed,
    known: ReadonlySet<string>,
    signal: AbortSignal,
  ): AsyncGenerator<readonly FeedEntry[], void, undefined> {
    const { max_entries: maxEntries } = this.#context.config;
    const seen = new Set<string>();
    const visited = new Set([address, this.location.address]);
    for (let page: Feed | null = feed; page !== null;) {
      const added: readonly FeedEntry[] = page.entries.filter(({ id }) => !seen.has(id));
      for (const { id } of added) seen.add(id);
      yield added;
      const { next }: Feed = page;
      if (next === null || added.every(({ id }) => known.has(id))) return;
      if (seen.size >= maxEntries || visited.size > maxPages) return;
      if (visited.has(next) || !isSameSite(next, address)) return;
      visited.add(next);
      const older = await this.#load(next, noValidators, signal);
      page = older?.feed ?? null;
    }
  }

  /** Stores the entries of each document before it requests the next one. */
  async #store(
    loaded: LoadedFeed,
    stored: StoredFeed | null,
    signal: AbortSignal,
    warn: (sentence: string) => void,
  ): Promise<StoredFeed> {
    const { feed, etag, lastModified, requestAddress } = loaded;
    const { keep_removed: keeps, max_entries: maxEntries } = this.#context.config;
    const known = new Map(stored?.entries.map((entry) => [entry.id, entry]));
    const paths = new EntryPaths(stored?.entries.map(({ path }) => path) ?? []);
    const current: StoredEntry[] = [];
    let fetched = 0;
    const ids = new Set(keeps ? known.keys() : []);
    for await (const page of this.#pages(loaded, ids, signal)) {
      fetched += page.length;
      for (const entry of page.slice(0, maxEntries - current.length)) {
        const former = known.get(entry.id);
        known.delete(entry.id);
        current.push(await this.#storeEntry(entry, former, feed.language, paths));
      }
    }
    const removed = [...known.values()];
    const kept = keeps ? removed.slice(0, Math.max(0, maxEntries - current.length)) : [];
    const omitted = fetched - current.length + (keeps ? removed.length - kept.length : 0);
    if (omitted > 0) {
      warn(
        `${omitted} of the oldest entries of ${this.location.address} were left out. \`max_entries\` is ${maxEntries}.`,
      );
    }
    const { title, language } = feed;
    const entries = [...current, ...kept];
    const result = { address: requestAddress, etag, lastModified, title, language, entries };
    await this.archive.save(result);
    for (const { id } of removed.slice(kept.length)) await this.archive.deleteDocument(id);
    return result;
  }

  /** Stores the document of an entry, unless it has not changed. */
  async #storeEntry(
    entry: FeedEntry,
    former: StoredEntry | undefined,
    language: string | null,
    paths: EntryPaths,
  ): Promise<StoredEntry> {
    const html = documentOf(entry, language);
    const fingerprint = fingerprintOf(entry, html);
    if (former?.fingerprint === fingerprint) return former;
    await this.archive.saveDocument(entry.id, html);
    return storedEntryOf(entry, former?.path ?? paths.assign(entry), html, fingerprint);
  }

  /** Fetches and parses a document, or the first feed of a page. Returns null if it has not changed. */
  async #load(
    address: string,
    validators: FeedValidators,
    signal: AbortSignal,
  ): Promise<LoadedFeed | null> {
    const document = await this.#client.fetch(address, validators, signal);
    if (document === null) return null;
    const text = decodeDocument(document);
    if (!isPage(text)) {
      const { address: finalAddress, etag, lastModified } = document;
      const feed = await this.#parse(text, finalAddress);
      return { feed, address: finalAddress, etag, lastModified, requestAddress: address };
    }
    const requestAddress = this.#feedOfPage(text, document.address);
    const linked = await this.#client.fetch(requestAddress, noValidators, signal);
    if (linked === null) return null;
    const feed = await this.#parse(decodeDocument(linked), linked.address);
    const { address: linkedAddress, etag, lastModified } = linked;
    return { feed, address: linkedAddress, etag, lastModified, requestAddress };
  }

  #feedOfPage(html: string, address: string): string {
    const feeds = feedsOfPage(html, address);
    const own = feeds.find((feed) => isSameSite(feed, address));
    if (own !== undefined) return own;
    const [other] = feeds;
    if (other === undefined) throw this.#notAFeed('it is a page that names no feed');
    // A page must not decide which other hosts get requests from this network.
    throw this.#notAFeed(`it is a page that names a feed at another host: ${other}`);
  }

  async #parse(text: string, address: string): Promise<Feed> {
    try {
      return await parseFeed(text, address, Date.now());
    } catch (error) {
      if (!(error instanceof FeedFormatError)) throw error;
      throw this.#notAFeed(error.message);
    }
  }

  #notAFeed(reason: string): TroveError {
    return this.#context.error(
      'connector_unhealthy',
      `${this.location.address} is not a feed: ${reason}.`,
      { suggestions: ['Enter the address of an RSS, Atom or JSON feed.'] },
    );
  }
}

/** Returns whether two addresses have the same host, with or without `www.` */
function isSameSite(address: string, other: string): boolean {
  const [first, second] = [address, other].map((each) => new URL(each));
  const hostOf = (url: URL | undefined): string => url?.host.replace(/^www\./, '') ?? '';
  return hostOf(first) === hostOf(second);
}

function storedEntryOf(
  entry: FeedEntry,
  path: string,
  html: string,
  fingerprint: string,
): StoredEntry {
  const { id, title, url, author, publishedAt, updatedAt, categories } = entry;
  const size = Buffer.byteLength(html);
  return { id, path, title, url, author, publishedAt, updatedAt, categories, size, fingerprint };
}
