import type { ConnectorRow } from '@trove/client';
import { formatWait } from '../terminal/numbers.js';

/** Formats the time of the next sync: `in 5 h`, `paused`. Empty without a schedule. */
export function nextSyncOf({ next_sync_at: next, paused }: ConnectorRow): string {
  if (paused) return 'paused';
  return next === null ? '' : formatWait(next);
}
