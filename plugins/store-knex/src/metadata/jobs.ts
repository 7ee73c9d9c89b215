import { TroveError } from '@trove/core';
import type {
  ClaimOptions,
  JobFilter,
  JobOutcome,
  JobRecord,
  JobStatus,
  JobQueue,
  NewJob,
  TaskFailure,
} from '@trove/core/store';

import type { Database, StoreSession } from '../database/types.js';
import { list, number, numberOrNull, oneOf, text, textOrNull } from '../database/values.js';
import { claimJob, pauseJob } from './claim-job.js';
import {
  cancelled,
  endingOf,
  endJob,
  isLive,
  lockHeldJob,
  lockJobs,
  type LockedJob,
} from './end-job.js';
import { jobColumns, jobOf, jobStatuses } from './job-record.js';
import { moveConnector } from './move-connector.js';
import {
  catalogues,
  cataloguesOf,
  lockConnector,
  type GenerationScope,
  type StoreScope,
} from './scope.js';

export class SqlJobs implements JobQueue {
  readonly #scope: GenerationScope;

  constructor(scope: GenerationScope) {
    this.#scope = scope;
  }

  create(job: NewJob): Promise<JobRecord> {
    return create(this.#scope, job);
  }

  get(id: string): Promise<JobRecord | null> {
    return readJob(this.#scope.db, this.#scope, id);
  }

  list(filter: JobFilter): Promise<JobRecord[]> {
    return listJobs(this.#scope, filter);
  }

  counts(among?: Parameters<JobQueue['counts']>[0]): ReturnType<JobQueue['counts']> {
    return counts(this.#scope, typeof among === 'string' ? { connectorId: among } : (among ?? {}));
  }

  failures(jobId: string, limit: number): Promise<TaskFailure[]> {
    return failures(this.#scope, jobId, limit);
  }

  async running(): Promise<JobRecord[]> {
    const { db, namespace } = this.#scope;
    const rows = await db.all(
      `select ${jobColumns.join(', ')} from trove_jobs
        where namespace = :namespace and ${isLive} and status = 'running' order by seq`,
      { namespace },
    );
    return rows.map(jobOf);
  }

  claim(worker: string, leaseMs: number, options?: ClaimOptions): Promise<JobRecord | null> {
    return claimJob(this.#scope, worker, Math.round(leaseMs), options);
  }

  pause(jobId: string, ms: number): Promise<void> {
    return pauseJob(this.#scope, jobId, Math.round(ms));
  }

  cancel(id: string): Promise<JobRecord | null> {
    return cancel(this.#scope, id);
  }

  finish(jobId: string, worker: string, outcome: JobOutcome): Promise<boolean> {
    return finish(this.#scope, jobId, worker, outcome);
  }

  prune(olderThanMs: number): Promise<number> {
    const { db, base } = this.#scope;
    return db.write((session) =>
      session.change(
        `delete from trove_jobs
          where namespace in ${catalogues} and finished_at < ${db.dialect.now} - :age`,
        { base, age: Math.round(olderThanMs) },
      ),
    );
  }
}

async function create(scope: GenerationScope, job: NewJob): Promise<JobRecord> {
  const { db, namespace } = scope;
  // The files of the replaced tree are deleted afterwards, so the change must be durable.
  const durable = job.tree !== undefined;
  const pauseMs = Math.round(job.pauseMs ?? 0);
  const queue = async (session: StoreSession): Promise<JobRecord> => {
    const [connector] = await session.all(
      `select status, root_uri, tree, next_sync_at from trove_connectors
        where namespace = :namespace and id = :connectorId ${db.dialect.lock}`,
      { namespace, connectorId: job.connectorId },
    );
    if (connector === undefined) throw new TroveError('not_found', 'The source is not registered.');
    const target = text(connector, 'root_uri');
    if (connector['status'] === 'removing') {
      throw new TroveError('connector_removing', `${target} is being removed.`);
    }
    assertTree(textOrNull(connector, 'tree'), job, target);
    assertDue(numberOrNull(connector, 'next_sync_at'), job, target);
    // The partial unique index allows one live job per connector.
    const [row] = await session.all(
      `insert into trove_jobs (namespace, id, connector_id, target, op_kind, triggered_by, status,
          full_sync, since, paths, paused_until, created_at)
        values (:namespace, :id, :connectorId, :target, :opKind, :trigger, 'queued',
          :full, :since, :paths, ${pauseMs === 0 ? 'null' : `${db.dialect.now} + :pauseMs`}, ${db.dialect.now})
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
        ...(pauseMs === 0 ? {} : { pauseMs }),
      },
    );
    if (row === undefined) {
      throw new TroveError('sync_already_running', `A sync of ${target} is already in progress.`);
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
    await setNextSync(session, scope, job);
    const created = jobOf(row);
    if (job.rootUri === undefined) return created;
    await moveConnector(session, scope, job.connectorId, job.rootUri);
    return { ...created, target: job.rootUri };
  };
  return db.write(queue, { durable });
}

async function setConnectorConfig(
  session: StoreSession,
  scope: GenerationScope,
  { connectorId: id, config }: NewJob,
): Promise<void> {
  if (config === undefined) return;
  await session.run(
    inAllGenerations(scope, id).update({
      config: config === null ? null : JSON.stringify(config),
      state: null,
      next_sync_at: null,
    }),
  );
}

/** Throws `sync_already_running` when another tree became current after the new one was begun. */
function assertTree(current: string | null, { tree }: NewJob, target: string): void {
  if (tree === undefined || current === tree.from || current === tree.to) return;
  throw new TroveError('sync_already_running', `Other files of ${target} arrived in the meantime.`);
}

/** Throws `sync_already_running` when another process queued the sync. */
function assertDue(planned: number | null, { due }: NewJob, target: string): void {
  if (due === undefined || planned === due.at) return;
  throw new TroveError('sync_already_running', `The due sync of ${target} is already queued.`);
}

async function setNextSync(
  session: StoreSession,
  { db, namespace }: StoreScope,
  { connectorId: id, due }: NewJob,
): Promise<void> {
  if (due === undefined) return;
  await session.run(
    db
      .table('trove_connectors')
      .where({ namespace, id })
      .update({ next_sync_at: Math.round(due.next) }),
  );
}

async function setConnectorTree(
  session: StoreSession,
  scope: GenerationScope,
  { connectorId: id, tree }: NewJob,
): Promise<void> {
  if (tree === undefined) return;
  await session.run(inAllGenerations(scope, id).update({ tree: tree.to }));
}

function inAllGenerations(scope: GenerationScope, id: string): ReturnType<Database['table']> {
  return scope.db.table('trove_connectors').where({ id }).whereIn('namespace', cataloguesOf(scope));
}

async function readJob(
  from: Pick<StoreSession, 'all'>,
  scope: GenerationScope,
  id: string,
): Promise<JobRecord | null> {
  const found = scope.db.table('trove_jobs').select(jobColumns).where({ id });
  const [row] = await from.all(found.whereIn('namespace', cataloguesOf(scope)));
  return row === undefined ? null : jobOf(row);
}

async function listJobs(scope: GenerationScope, filter: JobFilter): Promise<JobRecord[]> {
  const { db } = scope;
  const { status, target, within, limit, offset } = filter;
  const found = db.table('trove_jobs').select(jobColumns);
  void found.whereIn('namespace', cataloguesOf(scope));
  if (status !== undefined) void found.where({ status });
  if (target !== undefined) void found.where({ target });
  if (within !== undefined) limitTargets(found, within);
  const rows = await db.all(found.orderBy('seq', 'desc').limit(limit).offset(offset));
  return rows.map(jobOf);
}

/** Keeps rows whose target is one of the URIs or below it, as a range ('0' follows '/'). */
function limitTargets(rows: ReturnType<Database['table']>, uris: readonly string[]): void {
  void rows.where((either) => {
    void either.whereRaw('1 = 0');
    for (const uri of uris) {
      void either.orWhere('target', uri).orWhere((below) => {
        void below.where('target', '>=', `${uri}/`).where('target', '<', `${uri}0`);
      });
    }
  });
}

async function counts(
  scope: GenerationScope,
  { connectorId, within }: { readonly connectorId?: string } & Pick<JobFilter, 'within'>,
): Promise<Partial<Record<JobStatus, number>>> {
  const { db } = scope;
  const counted = db
    .table('trove_jobs')
    .select('status')
    .count('* as jobs')
    .whereIn('namespace', cataloguesOf(scope))
    .where(connectorId === undefined ? {} : { connector_id: connectorId })
    .groupBy('status');
  if (within !== undefined) limitTargets(counted, within);
  const rows = await db.all(counted);
  return Object.fromEntries(
    rows.map((row) => [oneOf(row, 'status', jobStatuses), number(row, 'jobs')]),
  );
}

async function failures(
  scope: GenerationScope,
  jobId: string,
  limit: number,
): Promise<TaskFailure[]> {
  const { db } = scope;
  const job = db
    .table('trove_jobs')
    .select('seq')
    .where({ id: jobId })
    .whereIn('namespace', cataloguesOf(scope));
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

async function cancel(scope: GenerationScope, id: string): Promise<JobRecord | null> {
  const { db } = scope;
  return db.write(async (session) => {
    const known = await readJob(session, scope, id);
    if (known === null) return null;
    const of = await scopeOfJob(session, scope, id);
    await lockConnector(session, of, known.connectorId);
    const [job] = await lockJobs(session, of, 'id = :id', { id });
    const isOwn = of.namespace === scope.namespace;
    if (job?.status === 'running' && isOwn) {
      await session.run(
        db.table('trove_jobs').where({ seq: job.seq }).update({ cancel_requested: 1 }),
      );
    } else if (job?.status === 'queued' || job?.status === 'running') {
      await endJob(session, of, job.seq, cancelled);
      await settleConnector(session, of, job, cancelled);
    }
    return readJob(session, scope, id);
  });
}

/** Returns the scope of the generation that a job belongs to. */
async function scopeOfJob(
  session: StoreSession,
  { db, base }: GenerationScope,
  id: string,
): Promise<StoreScope> {
  const [row] = await session.all(
    `select namespace from trove_jobs where id = :id and namespace in ${catalogues}`,
    { id, base },
  );
  return { db, namespace: row === undefined ? base : text(row, 'namespace') };
}

async function finish(
  scope: GenerationScope,
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
    const ending = endingOf(job, outcome);
    await endJob(session, scope, job.seq, ending);
    await settleConnector(session, scope, job, ending);
    return true;
  });
}

/** Updates the connector after a sync: end time, cursor and problem. A connector under removal keeps its status. */
async function settleConnector(
  session: StoreSession,
  { db, namespace }: StoreScope,
  { seq, connectorId: id }: LockedJob,
  { status, problem, isComplete = false }: JobOutcome,
): Promise<void> {
  if (status === 'succeeded' || status === 'partial') {
    await session.run(
      `update trove_connectors set last_synced_at = ${db.dialect.now},
          problem_code = null, problem_detail = null, failures = 0, failing_since = null,
          is_complete = case when :isComplete = 1 then 1 else is_complete end,
          state = coalesce((select j.state from trove_jobs j where j.seq = :seq), state)
        where namespace = :namespace and id = :id`,
      { namespace, id, seq, isComplete: isComplete ? 1 : 0 },
    );
  } else if (status === 'failed') {
    await session.run(
      `update trove_connectors set problem_code = :code, problem_detail = :detail,
          error_code = :code, error_detail = :detail, error_at = ${db.dialect.now},
          failures = failures + 1, failing_since = coalesce(failing_since, ${db.dialect.now})
        where namespace = :namespace and id = :id`,
      {
        namespace,
        id,
        code: problem?.code ?? 'internal_error',
        detail: problem?.detail ?? '',
      },
    );
  }
  await session.run(
    `update trove_connectors set status = case when problem_code is null then 'active' else 'error' end
      where namespace = :namespace and id = :id and status <> 'removing'`,
    { namespace, id },
  );
}
