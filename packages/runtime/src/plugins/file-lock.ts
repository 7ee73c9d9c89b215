import { mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { delay } from '../abort.js';

/** A lock older than this belongs to a dead process, because work under a lock has a shorter time limit. */
const maxLockAgeMs = 120_000;

/** Runs `work` under a lock that all processes of this machine respect: a file next to the one at `path`. */
export async function withFileLock<T>(
  path: string,
  pollMs: number,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const lock = `${path}.lock`;
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
  while (!(await acquireLock(lock))) {
    signal.throwIfAborted();
    await delay(pollMs, signal);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function acquireLock(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const found = await stat(lock).catch(() => null);
    // The age can be negative, because the clock may have been set back.
    const age = Math.abs(Date.now() - (found?.mtimeMs ?? Date.now()));
    if (age > maxLockAgeMs) await rm(lock, { force: true });
    return false;
  }
}
