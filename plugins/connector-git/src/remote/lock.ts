import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const beatMs = 5000;
/** Whoever has not been heard of for so long has died. */
const deadMs = 60_000;
const lookMs = 250;

/** Does some work while no other process of this machine does the same: each names the same path, where a folder is made. */
export async function alone<T>(
  path: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  while (!(await isTaken(path))) await delay(lookMs, undefined, { signal });
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
async function isTaken(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const age = await stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (age > deadMs) {
    // Of several who find it so, one succeeds.
    const aside = `${path}-${process.pid}-${Date.now()}`;
    await rename(path, aside).catch(() => undefined);
    await rm(aside, { recursive: true, force: true });
  }
  return false;
}
