import { TroveError } from '@trove/core';
import type {
  JobFilter,
  JobOutcome,
  JobRecord,
  JobStatus,
  JobQueue,
  NewJob,
  TaskFailure,
} from '@trove/core';

import type { Session } from '../database/types.js';
import { list, number, oneOf, text, textOrNull } from '../database/values.js';
import { cancelled, endJob, lockHeldJob, lockJobs } from './end-job.js';
import type { LockedJob } from './end-job.js';
import { jobColumns, jobOf, jobStatuses } from './job-record.js';
import { lockConnector } from './scope.js';
import type { Scope } from './scope.js';
import type { LeaseMethod } from './leases.js';

export function jobMethods(scope: Scope): Omit<JobQueue, LeaseMethod> {
  const { db, namespace } = scope;
  return {
    createJob: (job) => create(scope, job),
    job: (id) => readJob(db, scope, id),
    jobs: (filter) => listJobs(scope, filter),
    jobCounts: (connectorId) => counts(scope, connectorId),
    failures: (jobId, limit) => failures(scope, jobId, limit),
    runningJobs: async () => {
      const rows = await db.all(
        db
          .table('trove_jobs')
          .select(jobColumns)
          .where({ namespace, status: 'running' })
          .orderBy('seq'),
      );
      return rows.map(jobOf);
    },
    cancelJob: (id) => cancel(scope, id),
    finishJob: (jobId, worker, outcome) => finish(scope, jobId, worker, outcome),
    pruneJobs: (olderThanMs) =>
      db.write((session) =>
        session.change(
          `delete from trove_jobs
            where namespace = :namespace and finished_at < ${db.dialect.now} - :age`,
          { namespace, age: Math.round(olderThanMs) },
        ),
      ),
  };
}

async function create(scope: Scope, job: NewJob): Promise<JobRecord> {
  const { db, namespace } = scope;
  // The files of the tree that is replaced are deleted then.
  const durable = job.tree !== undefined;
  const queue = async (session: Session): Promise<JobRecord> => {
    const [connector] = await session.all(
      `select status, root_uri, tree from trove_connectors
        where namespace = :namespace and id = :connectorId ${db.dialect.lock}`,
      { namespace, connectorId: job.connectorId },
    );
    if (connector === undefined) throw new TroveError('not_found', 'The source is not registered.');
    const target = text(connector, 'root_uri');
    if (connector['status'] === 'removing') {
      throw new TroveError('connector_removing', `${target} is being removed.`);
    }
    assertTree(textOrNull(connector, 'tree'), job, target);
    // Enforced by the partial unique index: at most one live job per connector.
    const [row] = await session.all(
      `insert into trove_jobs (namespace, id, connector_id, target, op_kind, triggered_by, status,
          full_sync, since, paths, created_at)
        values (:namespace, :id, :connectorId, :target, :opKind, :trigger, 'queued',
          :full, :since, :paths, ${db.dialect.now})
        on conflict (namespace, connector_id) where status in ('queued', 'running') do nothing
        returning ${jobColumns.join(', ')}`,
      {
        namespace,
        id: job.id,
        connectorId: job.connectorId,
        target,
        opKind: job.opKind,
        trigger: job.trigger,
        full: job.full ? 1 : 0,
        since: job.since,
        paths: job.paths === undefined || job.paths === null ? null : list(job.paths),
      },
    );
    if (row === undefined) {
      throw new TroveError('sync_already_running', `A sync of ${target} is already in flight.`);
    }
    await session.run(
      db
        .table('trove_connectors')
        .where({ namespace, id: job.connectorId })
        .where('status', '<>', 'removing')
        .update({ status: 'syncing' }),
    );
    await setConnectorConfig(session, scope, job);
    await setConnectorTree(session, scope, job);
    return jobOf(row);
  };
  return db.write(queue, { durable });
}

async function setConnectorConfig(
  session: Session,
  { db, namespace }: Scope,
  { connectorId: id, config }: NewJob,
): Promise<void> {
  if (config === undefined) return;
  await session.run(
    db
      .table('trove_connectors')
      .where({ namespace, id })
      .update({ config: config === null ? null : JSON.stringify(config), state: null }),
  );
}

/** Throws `sync_already_running` when another tree has become current since the new one was begun. */
function assertTree(current: string | null, { tree }: NewJob, target: string): void {
  if (tree === undefined || current === tree.from || current === tree.to) return;
  throw new TroveError('sync_already_running', `Other files of ${target} have arrived meanwhile.`);
}

async function setConnectorTree(
  session: Session,
  { db, namespace }: Scope,
  { connectorId: id, tree }: NewJob,
): Promise<void> {
  if (tree === undefined) return;
  await session.run(
    db.table('trove_connectors').where({ namespace, id }).update({ tree: tree.to }),
  );
}

async function readJob(
  from: Pick<Session, 'all'>,
  { db, namespace }: Scope,
  id: string,
): Promise<JobRecord | null> {
  const [row] = await from.all(db.table('trove_jobs').select(jobColumns).where({ namespace, id }));
  return row === undefined ? null : jobOf(row);
}

async function listJobs({ db, namespace }: Scope, filter: JobFilter): Promise<JobRecord[]> {
  const { status, target, limit, offset } = filter;
  const found = db.table('trove_jobs').select(jobColumns).where({ namespace });
  if (status !== undefined) void found.where({ status });
  if (target !== undefined) void found.where({ target });
  const rows = await db.all(found.orderBy('seq', 'desc').limit(limit).offset(offset));
  return rows.map(jobOf);
}

async function counts(
  { db, namespace }: Scope,
  connectorId: string | undefined,
): Promise<Partial<Record<JobStatus, number>>> {
  const rows = await db.all(
    db
      .table('trove_jobs')
      .select('status')
      .count('* as jobs')
      .where(connectorId === undefined ? { namespace } : { namespace, connector_id: connectorId })
      .groupBy('status'),
  );
  return Object.fromEntries(
    rows.map((row) => [oneOf(row, 'status', jobStatuses), number(row, 'jobs')]),
  );
}

async function failures(
  { db, namespace }: Scope,
  jobId: string,
  limit: number,
): Promise<TaskFailure[]> {
  const job = db.table('trove_jobs').select('seq').where({ namespace, id: jobId });
  const rows = await db.all(
    db
      .table('trove_failures')
      .select('path', 'code', 'error')
      .where({ job })
      .orderBy('seq')
      .limit(limit),
  );
  return rows.map((row) => ({
    path: text(row, 'path'),
    code: text(row, 'code'),
    error: text(row, 'error'),
  }));
}

async function cancel(scope: Scope, id: string): Promise<JobRecord | null> {
  const { db } = scope;
  return db.write(async (session) => {
    const known = await readJob(session, scope, id);
    if (known === null) return null;
    await lockConnector(session, scope, known.connectorId);
    const [job] = await lockJobs(session, scope, 'id = :id', { id });
    if (job?.status === 'running') {
      await session.run(
        db.table('trove_jobs').where({ seq: job.seq }).update({ cancel_requested: 1 }),
      );
    }
    if (job?.status === 'queued') {
      await endJob(session, scope, job.seq, cancelled);
      await settleConnector(session, scope, job, cancelled);
    }
    return readJob(session, scope, id);
  });
}

async function finish(
  scope: Scope,
  jobId: string,
  worker: string,
  outcome: JobOutcome,
): Promise<boolean> {
  return scope.db.write(async (session) => {
    const known = await readJob(session, scope, jobId);
    if (known === null) return false;
    await lockConnector(session, scope, known.connectorId);
    const job = await lockHeldJob(session, scope, jobId, worker);
    if (job === null) return false;
    await endJob(session, scope, job.seq, outcome);
    await settleConnector(session, scope, job, outcome);
    return true;
  });
}

/** Updates the connector after a sync: when it ended, the cursor, the problem. One that is being removed stays so. */
async function settleConnector(
  session: Session,
  { db, namespace }: Scope,
  { seq, connectorId: id }: LockedJob,
  { status, problem }: JobOutcome,
): Promise<void> {
  if (status === 'succeeded' || status === 'partial') {
    await session.run(
      `update trove_connectors set last_synced_at = ${db.dialect.now},
          problem_code = null, problem_detail = null,
          state = coalesce((select j.state from trove_jobs j where j.seq = :seq), state)
        where namespace = :namespace and id = :id`,
      { namespace, id, seq },
    );
  } else if (status === 'failed') {
    await session.run(
      db
        .table('trove_connectors')
        .where({ namespace, id })
        .update({
          problem_code: problem?.code ?? 'internal_error',
          problem_detail: problem?.detail ?? '',
        }),
    );
  }
  await session.run(
    `update trove_connectors set status = case when problem_code is null then 'active' else 'error' end
      where namespace = :namespace and id = :id and status <> 'removing'`,
    { namespace, id },
  );
}
