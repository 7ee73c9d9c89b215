import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { PageStore } from './page-store.js';

/** A listing that broke off longer ago begins anew. */
const maxResumeAgeMs = 6 * 60 * 60 * 1000;
const maxRobotsAgeMs = 30 * 24 * 60 * 60 * 1000;

interface StoredCrawl {
  /** Identifies the settings that decide what the site answers. */
  readonly settings: string;
  /** Later than that of any listing before, even if the clock was set back. Identifies the listing. */
  readonly begunAt: number;
  /** What the clock showed when it began. */
  readonly startedAt: number;
  readonly isOver: boolean;
  /** Whether one has ever come to its end. */
  readonly hasEnded: boolean;
  /** `https://www.example.com`. */
  readonly origin: string | null;
  /** Addresses of pages that are at their exact places, since their usual ones are those of others. */
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

/** What is remembered of the listings of a site, beside its pages. */
export class CrawlState {
  readonly #folder: string;
  readonly #pages: PageStore;
  #state: StoredCrawl = emptyCrawl;

  constructor(folder: string, pages: PageStore) {
    this.#folder = folder;
    this.#pages = pages;
  }

  /** As another process may have left it. */
  async load(): Promise<StoredCrawl> {
    const text = await readFile(this.#file, 'utf8').catch(() => null);
    try {
      if (text !== null) this.#state = { ...emptyCrawl, ...JSON.parse(text) };
    } catch {
      this.#state = emptyCrawl;
    }
    return this.#state;
  }

  /**
   * Begins a listing, or goes on with one that broke off. Returns when it began: pages asked for since then need not be
   * asked for again.
   */
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

  /** `isWhole`: it met everything, so whatever it did not ask for is gone. */
  async end(isWhole: boolean): Promise<void> {
    const { begunAt, hasEnded } = this.#state;
    if (isWhole) await this.#pages.deleteUnchecked(begunAt);
    await this.#store({ ...this.#state, isOver: true, hasEnded: hasEnded || isWhole });
  }

  async setOrigin(origin: string): Promise<void> {
    if (this.#state.origin !== origin) await this.#store({ ...this.#state, origin });
  }

  async addExact(address: string): Promise<void> {
    if (this.#state.exact.includes(address)) return;
    await this.#store({ ...this.#state, exact: [...this.#state.exact, address] });
  }

  /** The last robots.txt that the site answered with; null when there is none, or it is too old. */
  async loadRobots(): Promise<string | null> {
    const text = await readFile(join(this.#folder, 'robots.json'), 'utf8').catch(() => '{}');
    const kept: { at?: number; text?: string } = JSON.parse(text);
    const isGood = kept.at !== undefined && isAgeBelow(maxRobotsAgeMs, kept.at, Date.now());
    return isGood ? (kept.text ?? null) : null;
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
    const made = join(
      this.#folder,
      `${name}.${process.pid}.${Math.random().toString(36).slice(2)}`,
    );
    await writeFile(made, JSON.stringify(value), { mode: 0o600 });
    await rename(made, join(this.#folder, name));
  }
}

/** What seems to come from the future is too old: the clock was set back since, by an unknown time. */
function isAgeBelow(maxMs: number, at: number, now: number): boolean {
  return at <= now && now - at < maxMs;
}
