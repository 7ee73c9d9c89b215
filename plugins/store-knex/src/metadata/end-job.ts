import type { JobOutcome, JobStatus } from '@trove/core';

import type { Bindings, Session } from '../database/types.js';
import { flag, number, oneOf, rows, text } from '../database/values.js';
import { jobStatuses } from './job-record.js';
import type { Scope } from './scope.js';

export interface LockedJob {
  readonly seq: number;
  readonly id: string;
  readonly connectorId: string;
  readonly status: JobStatus;
  readonly attempt: number;
  readonly listed: boolean;
}

/** Locks the jobs of the namespace that meet a condition, ordered by number. */
export async function lockJobs(
  session: Session,
  { db, namespace }: Scope,
  condition: string,
  bindings: Bindings,
): Promise<LockedJob[]> {
  const found = await session.all(
    `select seq, id, connector_id, status, attempt, listed from trove_jobs
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
  }));
}

/** Locks the job if the worker holds it: it is running, and the lease has not expired. */
export async function lockHeldJob(
  session: Session,
  scope: Scope,
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

/** Ends a locked job: open tasks are cancelled and counted, all tasks are deleted. */
export async function endJob(
  session: Session,
  { db }: Scope,
  seq: number,
  { status, problem, leftOutReasons = [] }: JobOutcome,
): Promise<void> {
  await session.run(db.table('trove_tasks').where({ job: seq }).delete());
  await session.run(db.table('trove_met').where({ job: seq }).delete());
  await session.run(
    `update trove_jobs set status = :status, problem_code = :code, problem_detail = :detail,
        left_out_reasons = :reasons, finished_at = ${db.dialect.now},
        cancelled = cancelled + open_tasks, open_tasks = 0,
        worker = null, lease_until = null
      where seq = :seq`,
    {
      seq,
      status,
      code: problem?.code ?? null,
      detail: problem?.detail ?? null,
      reasons: rows(leftOutReasons.map(({ reason, objects, path }) => [reason, objects, path])),
    },
  );
}
