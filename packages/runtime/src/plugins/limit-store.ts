import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { LoginLimitState } from '@trove/core';
import { withFileLock } from './file-lock.js';

const pollMs = 5;
/** An update takes milliseconds. The lock of a killed process must not stop all requests of its login for long. */
const maxAgeMs = 5000;

/**
 * Stores the state of a service's limits for one login in a file. The sources with this login and the processes of a
 * machine share the file. A damaged or unwritable file counts as none, and the limits then hold in this process.
 */
export class LimitStore implements LoginLimitState {
  readonly #file: string | null;
  #inMemory: unknown;
  /** Settles when the last update so far is done. */
  #last: Promise<unknown> = Promise.resolve();

  /** `file` is an absolute path. With null, the state is kept in memory. */
  constructor(file: string | null) {
    this.#file = file;
  }

  async get(): Promise<unknown> {
    if (this.#file === null) return this.#inMemory;
    try {
      const state: unknown = JSON.parse(await readFile(this.#file, 'utf8'));
      return state;
    } catch {
      return this.#inMemory;
    }
  }

  /** Updates in one process run one at a time without a file lock, which is slower. */
  update(change: (state: unknown) => unknown, signal: AbortSignal): Promise<void> {
    const updated = this.#last.then(() => this.#update(change, signal));
    this.#last = updated.catch(() => undefined);
    return updated;
  }

  async #update(change: (state: unknown) => unknown, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const file = this.#file;
    if (file === null) {
      this.#inMemory = change(this.#inMemory);
      return;
    }
    let isChanged = false;
    try {
      await withFileLock(file, { pollMs, maxAgeMs, signal }, async () => {
        this.#inMemory = change(await this.get());
        isChanged = true;
        await replaceFile(file, JSON.stringify(this.#inMemory));
      });
    } catch (error) {
      signal.throwIfAborted();
      if (isChanged) return;
      if (!(error instanceof Error && 'code' in error)) throw error;
      this.#inMemory = change(this.#inMemory);
    }
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
