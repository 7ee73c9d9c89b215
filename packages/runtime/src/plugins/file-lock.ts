import { mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { delay } from '../abort.js';

const defaultMaxAgeMs = 120_000;

/** How to wait for a lock. */
export interface LockWait {
  readonly pollMs: number;
  /** An older lock belongs to a dead process. Work under the lock must take less time. Default 2 minutes. */
  readonly maxAgeMs?: number;
  readonly signal: AbortSignal;
}

/** Runs `work` under a lock that all processes of this machine respect: a file next to the one at `path`. */
export async function withFileLock<T>(
  path: string,
  { pollMs, maxAgeMs = defaultMaxAgeMs, signal }: LockWait,
  work: () => Promise<T>,
): Promise<T> {
  const lock = `${path}.lock`;
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
  while (!(await acquireLock(lock, maxAgeMs))) {
    signal.throwIfAborted();
    await delay(pollMs, signal);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function acquireLock(lock: string, maxAgeMs: number): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const found = await stat(lock).catch(() => null);
    // The age can be negative, because the clock may have been set back.
    const age = Math.abs(Date.now() - (found?.mtimeMs ?? Date.now()));
    if (age > maxAgeMs) await rm(lock, { force: true });
    return false;
  }
}
