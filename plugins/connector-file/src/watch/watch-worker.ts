import { EventEmitter } from 'node:events';
import { readFileSync, watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { parentPort } from 'node:worker_threads';

import type { WatchRequest } from './protocol.js';

/** Changes within this time are reported together. */
const batchMs = 50;
const maxPaths = 1000;
/** This many events count as a change of everything, because the system silently drops events when its queue is full. */
const maxEvents = readQueueLength() / 8;
/** How often a root is compared with the folder being watched. A replaced folder sends no event. */
const checkMs = 1000;

/** Watches one root, and again after the root was removed, replaced or made unreadable. */
class RootWatch {
  readonly #id: number;
  readonly #root: string;
  #watcher: FSWatcher | null = null;
  /** Device and inode of the watched root; null while it is missing. */
  #identity: string | null = null;
  #isStopped = false;
  #paths = new Set<string>();
  #events = 0;
  #flush: NodeJS.Timeout | undefined;
  #check: NodeJS.Timeout | undefined;

  constructor(id: number, root: string) {
    this.#id = id;
    this.#root = root;
  }

  async start(): Promise<void> {
    const current = await identify(this.#root).catch(() => null);
    try {
      if (current === null) this.#report('');
      else this.#open(current);
      this.#scheduleCheck();
    } catch (error) {
      this.#fail(error);
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#watcher?.close();
    clearTimeout(this.#flush);
    clearTimeout(this.#check);
  }

  #open({ identity, isFile }: RootIdentity): void {
    if (this.#isStopped) return;
    // Opening visits every folder below and blocks, so it runs in a thread.
    const { watcher, errors } = openWatcher(this.#root);
    const fatal = errors.find((error) => !isUnreadable(error));
    if (fatal !== undefined) {
      watcher.close();
      throw fatal;
    }
    watcher.on('change', (_event, name) =>
      this.#report(isFile || name === null ? '' : String(name).replaceAll(sep, '/')),
    );
    watcher.on('error', (error) => {
      if (!isUnreadable(error)) this.#fail(error);
    });
    this.#watcher = watcher;
    this.#identity = identity;
    this.#report('');
  }

  #scheduleCheck(): void {
    if (!this.#isStopped) this.#check = setTimeout(() => void this.#compare(), checkMs);
  }

  async #compare(): Promise<void> {
    const current = await identify(this.#root).catch(() => null);
    if (this.#isStopped) return;
    try {
      if (current?.identity !== this.#identity) this.#replace(current);
      this.#scheduleCheck();
    } catch (error) {
      this.#fail(error);
    }
  }

  #replace(current: RootIdentity | null): void {
    this.#watcher?.close();
    this.#watcher = null;
    if (current !== null) return this.#open(current);
    if (this.#identity !== null) this.#report('');
    this.#identity = null;
  }

  /** Queues a changed path for the next report. '' means that any path may have changed. */
  #report(path: string): void {
    if (this.#isStopped) return;
    this.#events++;
    const isOverflow = this.#paths.size >= maxPaths || this.#events >= maxEvents;
    this.#paths.add(isOverflow ? '' : path);
    this.#flush ??= setTimeout(() => {
      parentPort?.postMessage({ id: this.#id, paths: [...this.#paths] });
      this.#paths = new Set();
      this.#events = 0;
      this.#flush = undefined;
    }, batchMs);
  }

  #fail(error: unknown): void {
    if (this.#isStopped) return;
    this.stop();
    watches.delete(this.#id);
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    parentPort?.postMessage({ id: this.#id, code, message: String(error) });
  }
}

/**
 * Opens a watcher and collects its errors meanwhile. On Linux, Node emits errors of folders below the root before a
 * listener can exist. Without a listener, it drops the error and does not watch the remaining folders. Replacing `emit` is
 * safe, because `watch` opens synchronously, so no other code of this thread runs meanwhile.
 */
function openWatcher(root: string): { readonly watcher: FSWatcher; readonly errors: Error[] } {
  const errors: Error[] = [];
  const { emit } = EventEmitter.prototype;
  const collect = function (this: EventEmitter, event: string, ...values: unknown[]): boolean {
    if (event !== 'error') return Reflect.apply(emit, this, [event, ...values]);
    const [error] = values;
    errors.push(error instanceof Error ? error : new Error(String(error)));
    return true;
  };
  Object.assign(EventEmitter.prototype, { emit: collect });
  try {
    return { watcher: watch(root, { recursive: true }), errors };
  } finally {
    Object.assign(EventEmitter.prototype, { emit });
  }
}

/** An unreadable folder is not watched, because listings report it. */
function isUnreadable(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EACCES' || code === 'EPERM';
}

interface RootIdentity {
  readonly identity: string;
  readonly isFile: boolean;
}

/** Links are followed, because a link to another folder makes another root. */
async function identify(root: string): Promise<RootIdentity> {
  const stats = await stat(root, { bigint: true });
  // A recreated folder may get the inode of the removed one. Its time of birth differs.
  const identity = `${stats.dev} ${stats.ino} ${stats.birthtimeNs}`;
  return { identity, isFile: stats.isFile() };
}

function readQueueLength(): number {
  const defaultLength = 16_384;
  if (process.platform !== 'linux') return defaultLength;
  try {
    return (
      Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'latin1')) || defaultLength
    );
  } catch {
    return defaultLength;
  }
}

const watches = new Map<number, RootWatch>();

parentPort?.on('message', ({ id, root }: WatchRequest) => {
  if (root === null) {
    watches.get(id)?.stop();
    watches.delete(id);
    return;
  }
  const rootWatch = new RootWatch(id, root);
  watches.set(id, rootWatch);
  void rootWatch.start();
});
