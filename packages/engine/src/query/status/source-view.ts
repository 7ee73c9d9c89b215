import type { ConnectorRecord } from '@trove/core/store';
import type { StatusResponse } from '../../api/schemas.js';
import type { WatchState } from '../../ingest/watching/watched-source.js';
import { toIsoTime } from '../../ingest/jobs/job-view.js';
import type { EffectiveCapabilities } from '../../sources/connectors/capabilities.js';
import { hasSchedule, isPaused } from '../../sources/schedules/sync-settings.js';

export function capabilitiesOf({
  keysOnly,
  costlyListing,
  grep,
  ...others
}: EffectiveCapabilities) {
  return {
    ...others,
    keys_only: keysOnly,
    costly_listing: costlyListing,
    grep: grep !== null,
  };
}

export function problemOf({ problem }: ConnectorRecord): {
  error: string | null;
  detail: string | null;
} {
  return { error: problem?.code ?? null, detail: problem?.detail ?? null };
}

export function scheduleView({ config, nextSyncAt, failingSince, lastError }: ConnectorRecord) {
  return {
    next_sync_at: hasSchedule(config) && !isPaused(config) ? timeOf(nextSyncAt) : null,
    paused: isPaused(config),
    failing_since: timeOf(failingSince),
    last_error: lastError && { ...lastError, at: toIsoTime(lastError.at) },
  };
}

export function watchView(state: WatchState | null): StatusResponse['connectors'][number]['watch'] {
  if (state === null) return null;
  const { by, everyMs, detail } = state;
  return { by, every_seconds: everyMs === null ? null : everyMs / 1000, detail };
}

export function timeOf(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : toIsoTime(at);
}
