import type { JobOutcome, JobStatus } from '@trove/core/store';

import type { Bindings, StoreSession } from '../database/types.js';
import { flag, list, number, oneOf, rows, text, texts } from '../database/values.js';
import { jobStatuses } from './job-record.js';
import { recordFailures } from './failures.js';
import type { StoreScope } from './scope.js';

/** The exact condition of the partial index on live jobs. There are many ended jobs. */
export const isLive = `status in ('queued', 'running')`;

export interface LockedJob {
  readonly seq: number;
  readonly id: string;
  readonly connectorId: string;
  readonly status: JobStatus;
  readonly attempt: number;
  readonly listed: boolean;
  readonly cancelRequested: boolean;
}

/** Locks the jobs of the namespace that meet a condition, ordered by number. */
export async function lockJobs(
  session: StoreSession,
  { db, namespace }: StoreScope,
  condition: string,
  bindings: Bindings,
): Promise<LockedJob[]> {
  const found = await session.all(
    `select seq, id, connector_id, status, attempt, listed, cancel_requested from trove_jobs
      where namespace = :namespace and ${condition} order by seq ${db.dialect.lock}`,
    { ...bindings, namespace },
  );
  return found.map((row) => ({
    seq: number(row, 'seq'),
    id: text(row, 'id'),
    connectorId: text(row, 'connector_id'),
    status: oneOf(row, 'status', jobStatuses),
    attempt: number(row, 'attempt'),
    listed: flag(row, 'listed'),
    cancelRequested: flag(row, 'cancel_requested'),
  }));
}

/** Locks the job if the worker holds it: it is running, and the lease has not expired. */
export async function lockHeldJob(
  session: StoreSession,
  scope: StoreScope,
  jobId: string,
  worker: string,
): Promise<LockedJob | null> {
  const [job] = await lockJobs(
    session,
    scope,
    `id = :jobId and status = 'running' and worker = :worker
      and lease_until > ${scope.db.dialect.now}`,
    { jobId, worker },
  );
  return job ?? null;
}

/** The outcome of a job cancelled before it began. */
export const cancelled: JobOutcome = {
  status: 'cancelled',
  problem: { code: 'cancelled', detail: 'It was cancelled before it began' },
};

/** Returns the final outcome of a job. The last task may have ended a cancelled job first. */
export function endingOf({ cancelRequested }: LockedJob, outcome: JobOutcome): JobOutcome {
  if (!cancelRequested || outcome.status === 'cancelled') return outcome;
  const problem = {
    code: 'cancelled',
    detail: 'The job was cancelled. Finished objects are kept.',
  };
  return { ...outcome, status: 'cancelled', problem, isComplete: false };
}

/** Ends a locked job: cancels and counts open tasks, and deletes all tasks. */
export async function endJob(
  session: StoreSession,
  { db }: StoreScope,
  seq: number,
  outcome: JobOutcome,
): Promise<void> {
  const { status, problem, leftOutReasons = [], warnings = [], failures = [] } = outcome;
  await session.run(db.table('trove_tasks').where({ job: seq }).delete());
  await session.run(db.table('trove_listed_parts').where({ job: seq }).delete());
  // A failure without a task has the task number 0.
  await recordFailures(
    session,
    db,
    seq,
    failures.map((failure) => ({ ...failure, task: 0 })),
  );
  if (warnings.length > 0) await addWarnings(session, seq, warnings);
  await session.run(
    `update trove_jobs set status = :status, problem_code = :code, problem_detail = :detail,
        left_out_reasons = :reasons, summaries_missing = :missing, finished_at = ${db.dialect.now},
        cancelled = cancelled + open_tasks, open_tasks = 0, checkpoint = null,
        worker = null, lease_until = null
      where seq = :seq`,
    {
      seq,
      status,
      code: problem?.code ?? null,
      detail: problem?.detail ?? null,
      reasons: rows(leftOutReasons.map(({ reason, objects, path }) => [reason, objects, path])),
      missing: outcome.summariesMissing ?? 0,
    },
  );
}

async function addWarnings(
  session: StoreSession,
  seq: number,
  warnings: readonly string[],
): Promise<void> {
  const [job] = await session.all('select warnings from trove_jobs where seq = :seq', { seq });
  const all = [...(job === undefined ? [] : texts(job, 'warnings')), ...warnings];
  await session.run('update trove_jobs set warnings = :warnings where seq = :seq', {
    seq,
    warnings: list(all),
  });
}
