import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@trove/core/di';

/** The monotonic clock of the system. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wait: (ms) => sleep(ms),
};
