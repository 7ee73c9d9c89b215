import { watch, type FSWatcher } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '@trove/connector-kit';
import { TroveError } from '@trove/core';

import { isAbsent } from './failures.js';
import type { MailStore } from './store.js';

const maxFolders = 1000;
/** The delay between a change and the search for new folders. */
const settleMs = 100;

/** Yields '' whenever mail may have changed. */
export async function* watchMailboxes(
  store: MailStore,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const watched = new FolderWatcher();
  const stop = (): void => watched.notify();
  signal.addEventListener('abort', stop);
  try {
    for (let isFirst = true; ; isFirst = false) {
      signal.throwIfAborted();
      const mailboxes = await store.mailboxes(signal);
      const folders = new Set([store.path, ...mailboxes.flatMap((each) => each.watchedFolders)]);
      // Changes before the start of the watch were not reported.
      if (watched.watchOnly(folders) || isFirst) yield '';
      await watched.nextChange();
      signal.throwIfAborted();
      yield '';
      await delay(settleMs, undefined, { signal });
    }
  } finally {
    signal.removeEventListener('abort', stop);
    watched.watchOnly(new Set());
  }
}

/** Watches folders without their subfolders. */
class FolderWatcher {
  readonly #watchers = new Map<string, FSWatcher>();
  #isNews = false;
  #heard: () => void = () => undefined;

  /** Watches exactly these folders. Returns whether some are new. Throws `not_supported` at the limit of the system. */
  watchOnly(folders: ReadonlySet<string>): boolean {
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    if (folders.size > maxFolders) throw tooManyFolders(`more than ${maxFolders}`);
    const before = this.#watchers.size;
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#start(folder);
    return this.#watchers.size > before;
  }

  notify(): void {
    this.#isNews = true;
    this.#heard();
  }

  /** Resolves after a change since the last call. */
  async nextChange(): Promise<void> {
    if (!this.#isNews) await new Promise<void>((resolve) => (this.#heard = resolve));
    this.#isNews = false;
  }

  #start(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.notify());
      this.#watchers.set(folder, watcher);
      // For example after the folder was removed. The next search may find it again.
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.delete(folder);
        this.notify();
      });
    } catch (error) {
      if (isAbsent(error)) return;
      if (['ENOSPC', 'EMFILE'].includes(codeOf(error)))
        throw tooManyFolders('more than the system can watch');
      throw error;
    }
  }
}

function tooManyFolders(count: string): TroveError {
  return new TroveError('not_supported', `There are ${count} folders with mail.`, {
    suggestions: ['List the folders to watch in `folders`, or add them as separate sources.'],
  });
}
