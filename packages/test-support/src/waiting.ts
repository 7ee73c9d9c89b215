import { setTimeout as sleep } from 'node:timers/promises';

/** How long a test waits for what must happen, on a busy machine too: only what never happens takes so long. */
export const maxWaitMs = 120_000;

const maxPauseMs = 100;
/** Whatever a test makes of the clock. */
const now = performance.now.bind(performance);

/** Resolves once it holds; throws when that never happens. */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  const end = now() + maxWaitMs;
  for (let pauseMs = 1; !(await holds()); pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    if (now() > end) throw new Error(`it never happens: ${what}`);
    await sleep(pauseMs);
  }
}

/** What work comes to; throws when it never ends. */
export async function withTimeout<T>(work: Promise<T>, what: string): Promise<T> {
  const waiting = new AbortController();
  const late = sleep(maxWaitMs, undefined, { signal: waiting.signal }).then(() => {
    throw new Error(`it never ends: ${what}`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    waiting.abort();
  }
}

/**
 * Fails when work takes this process more than so much time of the processor: others on the machine do not count. For
 * work that takes a fraction of that, or else for ever.
 */
export async function assertCheap(limitMs: number, work: () => unknown): Promise<void> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  const took = (user + system) / 1000;
  if (took > limitMs) throw new Error(`it took ${took} ms of the processor, not ${limitMs}`);
}
