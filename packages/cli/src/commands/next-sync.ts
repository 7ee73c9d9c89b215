import type { ConnectorRow } from '@trove/client';
import { formatWait } from '../terminal/numbers.js';

/** When a source is synced next, in a word. Empty without a schedule. */
export function nextSyncOf({ next_sync_at: next, paused }: ConnectorRow): string {
  if (paused) return 'paused';
  return next === null ? '' : formatWait(next);
}
