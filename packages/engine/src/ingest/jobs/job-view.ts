import type { JobRecord, Problem, TaskFailure } from '@trove/core/store';
import type { JobResponse } from '../../api/schemas.js';

export const maxFailures = 20;

/** Converts a job to its response. `obstacle`: a problem that currently affects all jobs of this server. */
export function toJobResponse(
  job: JobRecord,
  failures: readonly TaskFailure[],
  obstacle: Problem | null,
): JobResponse {
  const { total, added, changed, removed, unchanged, leftOut, failed, cancelled } = job;
  const problem = job.finishedAt === null ? null : job.problem;
  return {
    id: job.id,
    status: job.status,
    op_kind: job.opKind,
    trigger: job.trigger,
    target: job.target,
    phase: phaseOf(job),
    paused_until: pauseOf(job),
    obstacle: obstacle && { code: obstacle.code, detail: obstacle.detail },
    error: problem?.code ?? null,
    detail: problem?.detail ?? null,
    total_objects: total,
    succeeded_objects: added + changed + removed,
    failed_objects: failed,
    cancelled_objects: cancelled,
    skipped_objects: unchanged + leftOut,
    added,
    changed,
    removed,
    unchanged,
    left_out: leftOut,
    chunks: job.chunks,
    chunks_without_vector: job.chunksWithoutVector,
    summaries: job.summaries,
    summaries_missing: job.summariesMissing,
    model_calls: job.modelUsage.calls,
    model_input_tokens: job.modelUsage.inputTokens,
    model_output_tokens: job.modelUsage.outputTokens,
    created_at: toIsoTime(job.createdAt),
    started_at: job.startedAt === null ? null : toIsoTime(job.startedAt),
    finished_at: job.finishedAt === null ? null : toIsoTime(job.finishedAt),
    failures: failures.map(({ path, code, error }) => ({ path, code, error })),
    left_out_reasons: job.leftOutReasons.map(({ path, reason, objects }) => ({
      path,
      reason,
      objects,
    })),
    warnings: [...job.warnings],
  };
}

/** The phase of a running job. After all other work, the index is optimized. */
function phaseOf(job: JobRecord): JobResponse['phase'] {
  if (job.status !== 'running') return null;
  if (!job.listed) return 'listing';
  const { added, changed, removed, unchanged, leftOut, failed } = job;
  const done = added + changed + removed + unchanged + leftOut + failed;
  if (done < job.total) return 'indexing';
  return job.summarizing ? 'summarizing' : 'optimizing';
}

/** The end of the pause that the source requested; null if there is none or it is over. */
function pauseOf({ finishedAt, pausedUntil }: JobRecord): string | null {
  const isPaused = finishedAt === null && pausedUntil !== null && pausedUntil > Date.now();
  return isPaused ? toIsoTime(pausedUntil) : null;
}

export function toIsoTime(ms: number): string {
  return new Date(ms).toISOString();
}
