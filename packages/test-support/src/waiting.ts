import { setTimeout as sleep } from 'node:timers/promises';

/** The time limit for expected events, even on a busy machine. Only a failing test waits this long. */
export const maxWaitMs = 120_000;

const maxPauseMs = 100;
/** Independent of fake clocks. */
const now = performance.now.bind(performance);

/** Resolves when the condition holds. Throws after the time limit. */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  const end = now() + maxWaitMs;
  for (let pauseMs = 1; !(await holds()); pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    if (now() > end) throw new Error(`waited in vain: ${what}`);
    await sleep(pauseMs);
  }
}

/** Returns the result of `work`. Throws after the time limit. */
export async function withTimeout<T>(work: Promise<T>, what: string): Promise<T> {
  const waiting = new AbortController();
  const late = sleep(maxWaitMs, undefined, { signal: waiting.signal }).then(() => {
    throw new Error(`did not end in time: ${what}`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    waiting.abort();
  }
}

/**
 * Fails when work takes more processor time of this process than the limit. Meant for work that takes a fraction of the
 * limit or does not end.
 */
export async function assertCheap(limitMs: number, work: () => unknown): Promise<void> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  const took = (user + system) / 1000;
  if (took > limitMs) throw new Error(`it took ${took} ms of processor time, more than ${limitMs}`);
}
