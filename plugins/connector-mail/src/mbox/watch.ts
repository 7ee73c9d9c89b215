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
  const watcher = new FolderWatcher();
  const wake = (): void => watcher.notify();
  signal.addEventListener('abort', wake);
  try {
    for (let isFirst = true; ; isFirst = false) {
      signal.throwIfAborted();
      const mailboxes = await store.mailboxes(signal);
      const folders = new Set([store.path, ...mailboxes.flatMap((each) => each.watchedFolders)]);
      // Changes before the start of the watch were not reported.
      if (watcher.watchOnly(folders) || isFirst) yield '';
      await watcher.nextChange();
      signal.throwIfAborted();
      yield '';
      await delay(settleMs, undefined, { signal });
    }
  } finally {
    signal.removeEventListener('abort', wake);
    watcher.watchOnly(new Set());
  }
}

/** Watches folders without their subfolders. */
class FolderWatcher {
  readonly #watchers = new Map<string, FSWatcher>();
  #isChanged = false;
  #wake: () => void = () => undefined;

  /** Watches exactly these folders. Returns whether some are new. Throws `not_supported` at the limit of the system. */
  watchOnly(folders: ReadonlySet<string>): boolean {
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    if (folders.size > maxFolders)
      throw tooManyFolders(`There are more than ${maxFolders} folders with mail.`);
    const previousCount = this.#watchers.size;
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#start(folder);
    return this.#watchers.size > previousCount;
  }

  notify(): void {
    this.#isChanged = true;
    this.#wake();
  }

  /** Resolves after a change since the last call. */
  async nextChange(): Promise<void> {
    if (!this.#isChanged) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#isChanged = false;
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
        throw tooManyFolders('There are more folders with mail than the system can watch.');
      throw error;
    }
  }
}

function tooManyFolders(message: string): TroveError {
  return new TroveError('not_supported', message, {
    suggestions: ['List the folders to watch in `folders`, or add them as separate sources.'],
  });
}
