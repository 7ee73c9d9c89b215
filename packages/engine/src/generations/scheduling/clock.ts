import { setTimeout as sleep } from 'node:timers/promises';

/** Where the time comes from. */
export interface Clock {
  /** In milliseconds, from any beginning. */
  readonly now: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wait: (ms) => sleep(ms),
};
