import { watch, type FSWatcher } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '@trove/connector-kit';
import { TroveError } from '@trove/core';

import { isAbsent } from './failures.js';
import type { MailStore } from './store.js';

const maxFolders = 1000;
/** So long after some news, it is looked for folders that are new. */
const settleMs = 100;

/** Yields '' whenever something may have changed in the folders that mail is in. */
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
      // What came to a folder before it was watched, nobody has told of.
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

/** Folders, without those below them: mail programs make few. */
class FolderWatcher {
  readonly #watchers = new Map<string, FSWatcher>();
  #isNews = false;
  #heard: () => void = () => undefined;

  /** Whether some are watched that were not before. Throws `not_supported` when the system does not let so many be watched. */
  watchOnly(folders: ReadonlySet<string>): boolean {
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    if (folders.size > maxFolders) throw cannotWatch(`are over ${maxFolders}`);
    const before = this.#watchers.size;
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#start(folder);
    return this.#watchers.size > before;
  }

  notify(): void {
    this.#isNews = true;
    this.#heard();
  }

  /** Resolves once something has happened since the last time. */
  async nextChange(): Promise<void> {
    if (!this.#isNews) await new Promise<void>((resolve) => (this.#heard = resolve));
    this.#isNews = false;
  }

  #start(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.notify());
      this.#watchers.set(folder, watcher);
      // It is gone, say, and is looked for anew.
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.delete(folder);
        this.notify();
      });
    } catch (error) {
      if (isAbsent(error)) return;
      if (['ENOSPC', 'EMFILE'].includes(codeOf(error)))
        throw cannotWatch('are more than the system lets be watched');
      throw error;
    }
  }
}

function cannotWatch(why: string): TroveError {
  return new TroveError('not_supported', `The folders with mail ${why}.`, {
    suggestions: ['Name those that are to be watched in `folders`, or add them as sources.'],
  });
}
