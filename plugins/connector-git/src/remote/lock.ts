import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const heartbeatMs = 5000;
/** A holder counts as dead if its last heartbeat is this old and it has missed the next two. */
const staleMs = 60_000;
const missedHeartbeatMs = 2 * heartbeatMs;
const pollMs = 250;
/** Owner names of the locks that this process holds. */
const ownedLocks = new Set<string>();

/** Runs work under a lock between the processes of this machine. The lock is a folder at `path`. */
export async function withLock<T>(
  path: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const owner = [process.pid, randomUUID(), hostname()].join(' ');
  ownedLocks.add(owner);
  try {
    const heartbeats = new HeartbeatMonitor(path);
    while (!(await tryAcquire(path, owner, heartbeats))) await delay(pollMs, undefined, { signal });
    return await withHeartbeat(path, work);
  } finally {
    ownedLocks.delete(owner);
  }
}

async function withHeartbeat<T>(path: string, work: () => Promise<T>): Promise<T> {
  const heartbeat = setInterval(() => {
    const now = new Date();
    void utimes(path, now, now).catch(() => undefined);
  }, heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await rm(path, { recursive: true, force: true });
  }
}

/** Tries to take the lock. Removes the lock of a dead holder first, so that the next attempt can succeed. */
async function tryAcquire(
  path: string,
  owner: string,
  heartbeats: HeartbeatMonitor,
): Promise<boolean> {
  try {
    await mkdir(path);
    await writeFile(join(path, owner), '');
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  if ((await heartbeats.hasStopped()) || (await isAbandoned(path))) {
    // Only one of several processes succeeds in renaming the lock.
    const aside = `${path}-${process.pid}-${Date.now()}`;
    await rename(path, aside).catch(() => undefined);
    await rm(aside, { recursive: true, force: true });
  }
  return false;
}

/** Observes the heartbeats of a holder. Uses a monotonic clock, too, because the system clock may change. */
class HeartbeatMonitor {
  readonly #path: string;
  #last = 0;
  #seenAt = performance.now();

  constructor(path: string) {
    this.#path = path;
  }

  async hasStopped(): Promise<boolean> {
    const stats = await stat(this.#path).catch(() => null);
    if (stats === null) return false;
    if (stats.mtimeMs !== this.#last) {
      this.#last = stats.mtimeMs;
      this.#seenAt = performance.now();
    }
    const isOld = Math.abs(Date.now() - stats.mtimeMs) > staleMs;
    return isOld && performance.now() - this.#seenAt > missedHeartbeatMs;
  }
}

/** Returns whether a process of this machine holds the lock but has ended. */
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
