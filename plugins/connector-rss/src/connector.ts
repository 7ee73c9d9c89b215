import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  describeError,
  isTroveError,
  type Change,
  type ChangesRequest,
  type Connector,
  type Content,
  type Entry,
  type Health,
  type ListRequest,
  type TroveError,
} from '@trove/core';

import type { StoredEntry, StoredFeed } from './archive/archive.js';
import { FeedSource } from './feed-source.js';
import { feedLocations, type FeedLocation, type RssContext } from './location.js';

/** Shorter than the engine's limit of ten seconds, because this error names the feed. */
const checkTimeoutMs = 8000;
const maxCheckedFeeds = 5;

/** Creates a source of the entries of feeds. */
export function createRssConnector(context: RssContext): Connector {
  const source = new RssSource(context, feedLocations(context));
  const connector: Connector = {
    list: (request) => source.entries(request),
    read: (path, { signal }) => source.read(path, signal),
    pathOf: (address, { signal }) => source.pathOf(address, signal),
    check: ({ signal }) => source.check(signal),
    close: () => source.close(),
  };
  // Without removals, entries stay in the index even if the folder with the archive is lost.
  return context.config.keep_removed
    ? { ...connector, changes: (request) => source.changes(request) }
    : connector;
}

class RssSource {
  readonly #context: RssContext;
  readonly #locations: readonly FeedLocation[];
  #feeds: Promise<readonly FeedSource[]> | null = null;
  /** The folder of a source without its own folder. Deleted when the connector is closed. */
  #temporary: string | null = null;

  constructor(context: RssContext, locations: readonly FeedLocation[]) {
    this.#context = context;
    this.#locations = locations;
  }

  async *entries({
    signal,
    warn = () => undefined,
  }: Pick<ListRequest, 'signal' | 'warn'>): AsyncGenerator<Entry, void, undefined> {
    const failures: TroveError[] = [];
    for (const feed of await this.#open()) {
      try {
        const stored = await feed.sync(signal, warn);
        for (const entry of stored.entries) {
          yield entryOf(feed.location, stored, entry);
          signal.throwIfAborted();
        }
      } catch (error) {
        signal.throwIfAborted();
        if (!isTroveError(error)) throw error;
        failures.push(error);
      }
    }
    const [first] = failures;
    if (first === undefined) return;
    if (failures.length === this.#locations.length) throw first;
    const count = `${failures.length} of ${this.#locations.length} feeds could not be read.`;
    const details = failures.slice(0, 5).map(({ detail }) => detail);
    throw this.#context.error('listing_incomplete', [count, ...details].join(' '));
  }

  async *changes({
    commit,
    signal,
    warn,
  }: ChangesRequest): AsyncGenerator<Change, void, undefined> {
    commit({});
    const request = warn === undefined ? { signal } : { signal, warn };
    for await (const entry of this.entries(request)) yield { entry };
  }

  async read(path: string, signal: AbortSignal): Promise<Content> {
    const bytes = (await this.#loadDocument(path)) ?? (await this.#fetchDocument(path, signal));
    if (bytes !== null) return { bytes, mediaType: 'text/html', transferable: true };
    throw this.#context.error('not_found', `There is no entry "${path.slice(0, 200)}".`, {
      suggestions: ['List the entries with `ls`. Entries that left their feed may be gone.'],
    });
  }

  /** Returns the path of the entry with a web address, or null. */
  async pathOf(address: string, signal: AbortSignal): Promise<string | null> {
    for (const feed of await this.#open()) {
      signal.throwIfAborted();
      const stored = await feed.archive.load();
      const entry = stored?.entries.find(({ url }) => url === address);
      if (entry !== undefined) return pathIn(feed.location, entry);
    }
    return null;
  }

  async check(signal: AbortSignal): Promise<Health> {
    const timeout = AbortSignal.timeout(checkTimeoutMs);
    const stop = AbortSignal.any([signal, timeout]);
    const feeds = (await this.#open()).slice(0, maxCheckedFeeds);
    const healths = await Promise.all(
      feeds.map(async (feed): Promise<Health> => {
        try {
          const { title, entries } = await feed.fetch(stop);
          const name = title === '' ? feed.location.address : `"${title}"`;
          return { ok: true, detail: `The feed ${name} has ${countOf(entries.length)}.` };
        } catch (error) {
          signal.throwIfAborted();
          if (isTroveError(error)) return { ok: false, detail: describeError(error) };
          if (!timeout.aborted) throw error;
          const { host } = new URL(feed.location.address);
          const detail = `${host} did not answer within ${checkTimeoutMs / 1000} seconds. Check the address and the network.`;
          return { ok: false, detail };
        }
      }),
    );
    const isAnyOk = healths.some(({ ok }) => ok);
    return { ok: isAnyOk, detail: healths.map(({ detail }) => detail).join(' ') };
  }

  async close(): Promise<void> {
    if (this.#temporary !== null) await rm(this.#temporary, { recursive: true, force: true });
  }

  async #loadDocument(path: string): Promise<Uint8Array | null> {
    for (const feed of await this.#open()) {
      const stored = await feed.archive.load();
      const entry = stored?.entries.find((each) => pathIn(feed.location, each) === path);
      if (entry !== undefined) return feed.archive.loadDocument(entry.id);
    }
    return null;
  }

  /** Fetches the feed of a path that has no archive, for example because its folder was lost. */
  async #fetchDocument(path: string, signal: AbortSignal): Promise<Uint8Array | null> {
    for (const feed of await this.#open()) {
      const { folder } = feed.location;
      const prefix = folder === '' ? '' : `${folder}/`;
      if (!path.startsWith(prefix) || (await feed.archive.load()) !== null) continue;
      const html = await feed.fetchDocument(path.slice(prefix.length), signal);
      if (html !== null) return Buffer.from(html);
    }
    return null;
  }

  #open(): Promise<readonly FeedSource[]> {
    this.#feeds ??= this.#create();
    this.#feeds.catch(() => (this.#feeds = null));
    return this.#feeds;
  }

  async #create(): Promise<readonly FeedSource[]> {
    const { cacheFolder } = this.#context;
    this.#temporary =
      cacheFolder === undefined ? await mkdtemp(join(tmpdir(), 'trove-rss-')) : null;
    const folder = cacheFolder ?? this.#temporary ?? tmpdir();
    return this.#locations.map((location) => new FeedSource(location, this.#context, folder));
  }
}

function countOf(entries: number): string {
  return entries === 1 ? '1 entry' : `${entries} entries`;
}

function pathIn({ folder }: FeedLocation, { path }: StoredEntry): string {
  return folder === '' ? path : `${folder}/${path}`;
}

function entryOf(location: FeedLocation, feed: StoredFeed, entry: StoredEntry): Entry {
  const { id, title, url, author, publishedAt, updatedAt, categories, size, fingerprint } = entry;
  const fields = {
    ...(feed.title === '' ? {} : { feed: feed.title }),
    ...(publishedAt === null ? {} : { published: new Date(publishedAt).toISOString() }),
    ...(categories.length === 0 ? {} : { categories: categories.slice(0, 100) }),
  };
  return {
    path: pathIn(location, entry),
    mediaType: 'text/html',
    size,
    modifiedAt: updatedAt ?? publishedAt,
    fingerprint,
    identity: createHash('sha256').update(`${location.key} ${id}`).digest('hex').slice(0, 40),
    fields,
    ...(title === '' ? {} : { title }),
    ...(url === null ? {} : { url }),
    ...(author === null ? {} : { author }),
  };
}
