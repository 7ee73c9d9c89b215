import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const beatMs = 5000;
/** A holder has died if its last beat is this far from now, and it missed the next two. */
const deadMs = 60_000;
const missedMs = 2 * beatMs;
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
    const beats = new Beats(path);
    while (!(await isTaken(path, owner, beats))) await delay(lookMs, undefined, { signal });
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
async function isTaken(path: string, owner: string, beats: Beats): Promise<boolean> {
  try {
    await mkdir(path);
    await writeFile(join(path, owner), '');
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  if ((await beats.haveEnded()) || (await isLeft(path))) {
    // Of several who find it so, one succeeds.
    const aside = `${path}-${process.pid}-${Date.now()}`;
    await rename(path, aside).catch(() => undefined);
    await rm(aside, { recursive: true, force: true });
  }
  return false;
}

/** The beats of a holder as another process sees them, whose clock may be set meanwhile. */
class Beats {
  readonly #path: string;
  #last = 0;
  #seenAt = performance.now();

  constructor(path: string) {
    this.#path = path;
  }

  async haveEnded(): Promise<boolean> {
    const found = await stat(this.#path).catch(() => null);
    if (found === null) return false;
    if (found.mtimeMs !== this.#last) {
      this.#last = found.mtimeMs;
      this.#seenAt = performance.now();
    }
    const isOld = Math.abs(Date.now() - found.mtimeMs) > deadMs;
    return isOld && performance.now() - this.#seenAt > missedMs;
  }
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
