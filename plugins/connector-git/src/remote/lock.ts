import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const beatMs = 5000;
/** Whoever has not been heard of for so long has died, if it cannot be told at once. */
const deadMs = 60_000;
const lookMs = 250;
/** Those that this process holds. */
const held = new Set<string>();

/** Does some work while no other process of this machine does the same: each names the same path, where a folder is made. */
export async function alone<T>(
  path: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const owner = [process.pid, randomUUID(), hostname()].join(' ');
  held.add(owner);
  try {
    while (!(await isTaken(path, owner))) await delay(lookMs, undefined, { signal });
    return await beating(path, work);
  } finally {
    held.delete(owner);
  }
}

async function beating<T>(path: string, work: () => Promise<T>): Promise<T> {
  const beat = setInterval(() => {
    const now = new Date();
    void utimes(path, now, now).catch(() => undefined);
  }, beatMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await rm(path, { recursive: true, force: true });
  }
}

/** Whether it is ours now. */
async function isTaken(path: string, owner: string): Promise<boolean> {
  try {
    await mkdir(path);
    await writeFile(join(path, owner), '');
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const age = await stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (age > deadMs || (await isLeft(path))) {
    // Of several who find it so, one succeeds.
    const aside = `${path}-${process.pid}-${Date.now()}`;
    await rename(path, aside).catch(() => undefined);
    await rm(aside, { recursive: true, force: true });
  }
  return false;
}

/** Whether a process of this machine took it that has ended since. */
async function isLeft(path: string): Promise<boolean> {
  const [owner = ''] = await readdir(path).catch(() => []);
  const [pid = '', , host] = owner.split(' ');
  if (host !== hostname()) return false;
  if (Number(pid) === process.pid) return !held.has(owner);
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
