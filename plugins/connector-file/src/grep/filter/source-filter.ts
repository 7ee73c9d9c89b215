import { join } from 'node:path';

import type { FileSource } from '../../source/root.js';
import type { SourceThread } from '../../threads/source-thread.js';

const fileName = 'grep-filter';
/** Smaller sources are read as fast as their filter would be checked. */
const minFiles = 60_000;
/** A filter is written again when it does not know this share of the files. */
const maxUnknownShare = 0.02;
/** The filter leaves memory after this time without a search. */
const keptMs = 30_000;

/** Files that change all the time stay unknown, so a new filter may not help. */
const minIntervalMs = 300_000;
/** A file that changed just before may change again at the same time. Some file systems count in two seconds. */
const settledMs = 10_000;

/** What a search found out about the filter. */
export interface FilterUse {
  /** Whether the search had a filter. */
  readonly isFiltered: boolean;
  /** The number of files that the filter did not know. */
  readonly unknown: number;
}

/**
 * The filter of a large source: for each file, the trigrams of its text. A search reads only files that may contain its
 * text. A search of many unknown files makes the next one faster: the filter is then written in the background.
 */
export class SourceFilter {
  readonly #thread: SourceThread;
  readonly #source: FileSource;
  readonly #file: string;
  readonly #minFiles: number;
  readonly #closing = new AbortController();
  #loaded: Promise<SharedArrayBuffer | null> | null = null;
  #building: Promise<void> | null = null;
  #builtAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  /** `folder`: the folder for data that can be made again. */
  constructor(thread: SourceThread, source: FileSource, folder: string, least = minFiles) {
    this.#thread = thread;
    this.#source = source;
    this.#file = join(folder, fileName);
    this.#minFiles = least;
  }

  /** Returns the filter, or null if there is none. */
  load(): Promise<SharedArrayBuffer | null> {
    const file = this.#file;
    const { signal } = this.#closing;
    this.#loaded ??= this.#thread.run('loadFilter', file, signal).catch(() => null);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#loaded = null), keptMs).unref();
    return this.#loaded;
  }

  /** Call after each search. Returns when the filter is up to date. */
  async update({ isFiltered, unknown }: FilterUse): Promise<void> {
    const limit = isFiltered ? this.#minFiles * maxUnknownShare : this.#minFiles;
    if (unknown < limit || performance.now() - this.#builtAt < minIntervalMs) return;
    this.#building ??= this.#build().finally(() => (this.#building = null));
    await this.#building;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    this.#loaded = null;
    await this.#thread.close();
  }

  /** Searches work without a filter, so a failure is not reported. A full disk shows in other places. */
  async #build(): Promise<void> {
    const settledBefore = Date.now() - settledMs;
    const task = { ...this.#source, file: this.#file, settledBefore };
    await this.#thread.run('buildFilter', task, this.#closing.signal).catch(() => undefined);
    this.#builtAt = performance.now();
    this.#loaded = null;
  }
}
