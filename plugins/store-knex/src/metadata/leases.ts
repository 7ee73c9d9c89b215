import type { JobRecord, JobQueue } from '@trove/core/store';

import type { Session } from '../database/types.js';
import { number, text } from '../database/values.js';
import { isLive, lockJobs, type LockedJob } from './end-job.js';
import { jobColumns, jobOf } from './job-record.js';
import type { Scope } from './scope.js';

/** Of the queue of jobs: who holds what, and for how long. */
export type LeaseMethod =
  | 'claimJob'
  | 'pauseJob'
  | 'renewLeases'
  | 'releaseWorker'
  | 'leaseHolders';

export function leaseMethods(scope: Scope): Pick<JobQueue, LeaseMethod> {
  const { db, namespace } = scope;
  return {
    claimJob: (worker, leaseMs) => claim(scope, worker, Math.round(leaseMs)),
    pauseJob: (jobId, ms) => pause(scope, jobId, Math.round(ms)),
    renewLeases: (worker, leaseMs) => renew(scope, worker, Math.round(leaseMs)),
    releaseWorker: (worker, options) => release(scope, worker, options?.died ?? false),
    leaseHolders: async () => {
      const rows = await db.all(
        `select worker from trove_jobs
          where namespace = :namespace and status = 'running' and lease_until > ${db.dialect.now}
        union
        select t.worker from trove_tasks t join trove_jobs j on j.seq = t.job
          where j.namespace = :namespace and t.worker is not null
            and t.lease_until > ${db.dialect.now}
        order by worker`,
        { namespace },
      );
      return rows.map((row) => text(row, 'worker'));
    },
  };
}

async function claim(scope: Scope, worker: string, leaseMs: number): Promise<JobRecord | null> {
  const { db, namespace } = scope;
  const { now } = db.dialect;
  const oldest = `select j.seq from trove_jobs j where j.namespace = :namespace and j.${isLive}
      and (j.status = 'queued' or (j.status = 'running' and j.lease_until <= ${now}))
    order by j.seq limit 1`;
  // Workers poll all the time, mostly in vain, which must not block writers.
  if ((await db.all(oldest, { namespace })).length === 0) return null;
  return db.write(async (session) => {
    const [candidate] = await session.all(`${oldest} ${db.dialect.skipLocked('j')}`, {
      namespace,
    });
    if (candidate === undefined) return null;
    const [row] = await session.all(
      `update trove_jobs set status = 'running', worker = :worker, lease_until = ${now} + :leaseMs,
          attempt = attempt + 1,
          deaths = deaths + case when status = 'running' and worker <> :worker then 1 else 0 end,
          started_at = coalesce(started_at, ${now})
        where seq = :seq returning seq, ${jobColumns.join(', ')}`,
      { seq: number(candidate, 'seq'), worker, leaseMs },
    );
    if (row === undefined) return null;
    const job = jobOf(row);
    if (job.listed || job.attempt === 1) return job;
    return restartListing(session, scope, number(row, 'seq'));
  });
}

/** Listed objects will be counted when they are listed again; only tasks are already known. */
async function restartListing(
  session: Session,
  { db }: Scope,
  seq: number,
): Promise<JobRecord | null> {
  await session.run(db.table('trove_met').where({ job: seq }).delete());
  const [row] = await session.all(
    `update trove_jobs set
        total = (select count(*) from trove_tasks t where t.job = :seq),
        unchanged = (select count(*) from trove_tasks t
          where t.job = :seq and t.outcome = 'unchanged'),
        left_out = (select count(*) from trove_tasks t
          where t.job = :seq and t.outcome = 'left_out')
      where seq = :seq returning ${jobColumns.join(', ')}`,
    { seq },
  );
  return row === undefined ? null : jobOf(row);
}

async function pause({ db, namespace }: Scope, jobId: string, ms: number): Promise<void> {
  const until = `${db.dialect.now} + :ms`;
  await db.write((session) =>
    session.run(
      `update trove_jobs set paused_until = ${until}
        where namespace = :namespace and id = :jobId and status = 'running'
          and coalesce(paused_until, 0) < ${until}`,
      { namespace, jobId, ms },
    ),
  );
}

async function renew(scope: Scope, worker: string, leaseMs: number): Promise<string[]> {
  const { now } = scope.db.dialect;
  return scope.db.write(async (session) => {
    const jobs = await lockJobsOf(session, scope, worker);
    for (const { seq } of jobs) {
      await session.run(
        `update trove_tasks set lease_until = ${now} + :leaseMs
          where job = :seq and worker = :worker and lease_until > ${now}`,
        { seq, worker, leaseMs },
      );
    }
    const rows = await session.all(
      `update trove_jobs set lease_until = ${now} + :leaseMs
        where namespace = :namespace and status = 'running' and worker = :worker
          and lease_until > ${now}
        returning seq, id`,
      { namespace: scope.namespace, worker, leaseMs },
    );
    rows.sort((left, right) => number(left, 'seq') - number(right, 'seq'));
    return rows.map((row) => text(row, 'id'));
  });
}

async function release(scope: Scope, worker: string, died: boolean): Promise<void> {
  await scope.db.write(async (session) => {
    for (const { seq } of await lockJobsOf(session, scope, worker)) {
      // A task that was given back did not fail, so it does not count as an attempt.
      await session.run(
        `update trove_tasks set worker = null, lease_until = null,
            ${died ? 'deaths = deaths + 1' : 'attempt = attempt - 1'}
          where job = :seq and worker = :worker`,
        { seq, worker },
      );
      if (died) {
        await session.run(scope.db.table('trove_jobs').where({ seq }).increment('deaths'));
      }
    }
    await session.run(
      scope.db
        .table('trove_jobs')
        .where({ namespace: scope.namespace, status: 'running', worker })
        .update({ status: 'queued', worker: null, lease_until: null }),
    );
  });
}

/** The jobs that the worker holds or has tasks of. */
function lockJobsOf(session: Session, scope: Scope, worker: string): Promise<LockedJob[]> {
  return lockJobs(
    session,
    scope,
    `status in ('queued', 'running') and (worker = :worker
      or seq in (select job from trove_tasks where worker = :worker))`,
    { worker },
  );
}
