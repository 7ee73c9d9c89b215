import type { JobRecord, TaskFailure } from '@trove/core';
import type { JobResponse } from '../api/schemas.js';

/** A job as callers see it. */
export function jobView(job: JobRecord, failures: readonly TaskFailure[]): JobResponse {
  return {
    id: job.id,
    status: job.status,
    op_kind: job.opKind,
    trigger: job.trigger,
    target: job.target,
    error: job.error,
    total_objects: job.totalObjects,
    succeeded_objects: job.succeededObjects,
    failed_objects: job.failedObjects,
    cancelled_objects: job.cancelledObjects,
    skipped_objects: job.skippedObjects,
    chunks: job.chunks,
    created_at: isoTime(job.createdAt),
    started_at: job.startedAt === null ? null : isoTime(job.startedAt),
    finished_at: job.finishedAt === null ? null : isoTime(job.finishedAt),
    failures: failures.map(({ path, code, error }) => ({ path, code, error })),
  };
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
