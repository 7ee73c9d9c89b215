import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const heartbeatMs = 5000;
/** A holder has died if its last beat is this far from now, and it missed the next two. */
const staleMs = 60_000;
const missedHeartbeatMs = 2 * heartbeatMs;
const pollMs = 250;
/** Those that this process holds. */
const ownedLocks = new Set<string>();

/** Does some work while no other process of this machine does the same: each names the same path, where a folder is made. */
export async function withLock<T>(
  path: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const owner = [process.pid, randomUUID(), hostname()].join(' ');
  ownedLocks.add(owner);
  try {
    const beats = new HeartbeatMonitor(path);
    while (!(await tryAcquire(path, owner, beats))) await delay(pollMs, undefined, { signal });
    return await withHeartbeat(path, work);
  } finally {
    ownedLocks.delete(owner);
  }
}

async function withHeartbeat<T>(path: string, work: () => Promise<T>): Promise<T> {
  const beat = setInterval(() => {
    const now = new Date();
    void utimes(path, now, now).catch(() => undefined);
  }, heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await rm(path, { recursive: true, force: true });
  }
}

/** Whether it is ours now. */
async function tryAcquire(path: string, owner: string, beats: HeartbeatMonitor): Promise<boolean> {
  try {
    await mkdir(path);
    await writeFile(join(path, owner), '');
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  if ((await beats.hasStopped()) || (await isAbandoned(path))) {
    // Of several who find it so, one succeeds.
    const aside = `${path}-${process.pid}-${Date.now()}`;
    await rename(path, aside).catch(() => undefined);
    await rm(aside, { recursive: true, force: true });
  }
  return false;
}

/** The beats of a holder as another process sees them, whose clock may be set meanwhile. */
class HeartbeatMonitor {
  readonly #path: string;
  #last = 0;
  #seenAt = performance.now();

  constructor(path: string) {
    this.#path = path;
  }

  async hasStopped(): Promise<boolean> {
    const found = await stat(this.#path).catch(() => null);
    if (found === null) return false;
    if (found.mtimeMs !== this.#last) {
      this.#last = found.mtimeMs;
      this.#seenAt = performance.now();
    }
    const isOld = Math.abs(Date.now() - found.mtimeMs) > staleMs;
    return isOld && performance.now() - this.#seenAt > missedHeartbeatMs;
  }
}

/** Whether a process of this machine took it that has ended since. */
async function isAbandoned(path: string): Promise<boolean> {
  const [owner = ''] = await readdir(path).catch(() => []);
  const [pid = '', , host] = owner.split(' ');
  if (host !== hostname()) return false;
  if (Number(pid) === process.pid) return !ownedLocks.has(owner);
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
