import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { PageStore } from './page-store.js';

/** A listing that was interrupted longer ago starts again. */
const maxResumeAgeMs = 6 * 60 * 60 * 1000;
const maxRobotsAgeMs = 30 * 24 * 60 * 60 * 1000;

interface StoredCrawl {
  /** Hash of the settings that affect the responses of the site. */
  readonly settings: string;
  /** Identifies the listing. Later than the value of every earlier listing, even after the clock was set back. */
  readonly begunAt: number;
  /** Clock time at the start of the listing. */
  readonly startedAt: number;
  readonly isOver: boolean;
  /** Whether any listing has ever finished. */
  readonly hasEnded: boolean;
  /** Such as `https://www.example.com`. */
  readonly origin: string | null;
  /** Addresses of pages with exact paths, because other pages have their usual paths. */
  readonly exact: readonly string[];
}

const emptyCrawl: StoredCrawl = {
  settings: '',
  begunAt: 0,
  startedAt: 0,
  isOver: true,
  hasEnded: false,
  origin: null,
  exact: [],
};

/** Stores the progress of the listings of a site and its robots.txt. */
export class CrawlState {
  readonly #folder: string;
  readonly #pages: PageStore;
  #state: StoredCrawl = emptyCrawl;

  constructor(folder: string, pages: PageStore) {
    this.#folder = folder;
    this.#pages = pages;
  }

  /** Loads the state, which another process may have changed. */
  async load(): Promise<StoredCrawl> {
    const text = await readFile(this.#file, 'utf8').catch(() => null);
    try {
      if (text !== null) this.#state = { ...emptyCrawl, ...JSON.parse(text) };
    } catch {
      this.#state = emptyCrawl;
    }
    return this.#state;
  }

  /** Starts a listing or resumes an interrupted one. Pages requested since `begunAt` need no further request. */
  async begin(settings: string): Promise<{ readonly begunAt: number; readonly hasEnded: boolean }> {
    const now = Date.now();
    const { begunAt, startedAt, isOver, hasEnded, ...last } = await this.load();
    const next = { begunAt: Math.max(now, begunAt + 1), startedAt: now, isOver: false };
    if (last.settings !== settings) {
      await this.#pages.deleteAll();
      await this.#store({ ...emptyCrawl, settings, ...next });
      return { begunAt: next.begunAt, hasEnded: false };
    }
    if (!isOver && isAgeBelow(maxResumeAgeMs, startedAt, now)) return { begunAt, hasEnded };
    await this.#store({ ...this.#state, ...next });
    return { begunAt: next.begunAt, hasEnded };
  }

  /** Ends the listing. `isComplete` means that it was complete, so pages that it did not request are deleted. */
  async end(isComplete: boolean): Promise<void> {
    const { begunAt, hasEnded } = this.#state;
    if (isComplete) await this.#pages.deleteUnchecked(begunAt);
    await this.#store({ ...this.#state, isOver: true, hasEnded: hasEnded || isComplete });
  }

  async setOrigin(origin: string): Promise<void> {
    if (this.#state.origin !== origin) await this.#store({ ...this.#state, origin });
  }

  async addExact(address: string): Promise<void> {
    if (this.#state.exact.includes(address)) return;
    await this.#store({ ...this.#state, exact: [...this.#state.exact, address] });
  }

  /** Returns the last robots.txt of the site; null if there is none or it is too old. */
  async loadRobots(): Promise<string | null> {
    const text = await readFile(join(this.#folder, 'robots.json'), 'utf8').catch(() => '{}');
    const stored: { at?: number; text?: string } = JSON.parse(text);
    const isRecent = stored.at !== undefined && isAgeBelow(maxRobotsAgeMs, stored.at, Date.now());
    return isRecent ? (stored.text ?? null) : null;
  }

  async storeRobots(text: string): Promise<void> {
    await this.#write('robots.json', { at: Date.now(), text });
  }

  get #file(): string {
    return join(this.#folder, 'crawl.json');
  }

  async #store(state: StoredCrawl): Promise<void> {
    this.#state = state;
    await this.#write('crawl.json', state);
  }

  async #write(name: string, value: unknown): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const temporary = join(
      this.#folder,
      `${name}.${process.pid}.${Math.random().toString(36).slice(2)}`,
    );
    await writeFile(temporary, JSON.stringify(value), { mode: 0o600 });
    await rename(temporary, join(this.#folder, name));
  }
}

/** Returns whether a time is recent. A time in the future counts as old, because the clock was set back. */
function isAgeBelow(maxMs: number, at: number, now: number): boolean {
  return at <= now && now - at < maxMs;
}
