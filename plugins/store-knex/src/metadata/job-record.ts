import type { JobRecord } from '@trove/core';

import type { Row } from '../database/types.js';
import { flag, number, numberOrNull, oneOf, text, textOrNull } from '../database/values.js';

export const jobStatuses = [
  'queued',
  'running',
  'succeeded',
  'partial',
  'failed',
  'cancelled',
] as const;

export const jobColumns = `id, connector_id, target, op_kind, triggered_by, status, full_sync, since, error,
  total_objects, succeeded_objects, failed_objects, cancelled_objects, skipped_objects, chunks,
  created_at, started_at, finished_at, listed, cancel_requested, attempt`;

export function jobOf(row: Row): JobRecord {
  return {
    id: text(row, 'id'),
    connectorId: text(row, 'connector_id'),
    target: text(row, 'target'),
    opKind: text(row, 'op_kind'),
    trigger: text(row, 'triggered_by'),
    status: oneOf(row, 'status', jobStatuses),
    full: flag(row, 'full_sync'),
    since: textOrNull(row, 'since'),
    error: textOrNull(row, 'error'),
    totalObjects: number(row, 'total_objects'),
    succeededObjects: number(row, 'succeeded_objects'),
    failedObjects: number(row, 'failed_objects'),
    cancelledObjects: number(row, 'cancelled_objects'),
    skippedObjects: number(row, 'skipped_objects'),
    chunks: number(row, 'chunks'),
    createdAt: number(row, 'created_at'),
    startedAt: numberOrNull(row, 'started_at'),
    finishedAt: numberOrNull(row, 'finished_at'),
    listed: flag(row, 'listed'),
    cancelRequested: flag(row, 'cancel_requested'),
    attempt: number(row, 'attempt'),
  };
}
