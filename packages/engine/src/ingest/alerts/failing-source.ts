import type { ConnectorRecord, Problem } from '@trove/core/store';
import { toIsoTime } from '../jobs/job-view.js';
import { scheduleOf } from '../../sources/schedules/sync-settings.js';

/** A problem of a source that causes an alert. */
export interface SourceFailure extends Problem {
  readonly since: number;
}

/** When a source counts as failing. */
export interface FailureLimits {
  /** The number of failed syncs in a row, or of missed times of the schedule. */
  readonly after: number;
  /** Times before this one do not count as missed, because no worker ran. */
  readonly watchedSince: number;
}

/** Returns why a source counts as failing; null if it does not. */
export function failureOf(
  record: ConnectorRecord,
  { after, watchedSince }: FailureLimits,
  now: number,
): SourceFailure | null {
  const { failures, failingSince, problem, status } = record;
  if (status === 'removing') return null;
  if (failures >= after && problem !== null) return { ...problem, since: failingSince ?? now };
  return overdueOf(record, { after, watchedSince }, now);
}

/**
 * Returns the failure of an overdue source. Each queued sync advances the planned time, so an old time means that none was
 * queued.
 */
function overdueOf(
  record: ConnectorRecord,
  { after, watchedSince }: FailureLimits,
  now: number,
): SourceFailure | null {
  const { id, nextSyncAt, lastSyncedAt, registeredAt } = record;
  if (nextSyncAt === null || nextSyncAt > now) return null;
  const schedule = scheduleOf(record);
  if (schedule === null) return null;
  let missed = Math.max(nextSyncAt, watchedSince);
  for (let count = 1; count < after; count++) missed = schedule.next(id, missed);
  if (missed > now) return null;
  const last = lastSyncedAt === null ? 'never' : toIsoTime(lastSyncedAt);
  return {
    code: 'sync_overdue',
    detail: `The source missed ${after} times of its schedule. Last sync: ${last}. Check that a worker runs, and look for a sync that does not end.`,
    since: lastSyncedAt ?? registeredAt,
  };
}

/** Whether a source that was failing works again. */
export function isRecovered(
  { failures, problem, status }: ConnectorRecord,
  failure: SourceFailure | null,
): boolean {
  return failure === null && failures === 0 && problem === null && status !== 'removing';
}
