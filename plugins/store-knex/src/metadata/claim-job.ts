import type { ClaimOptions, JobRecord } from '@trove/core/store';

import type { StoreSession } from '../database/types.js';
import { number } from '../database/values.js';
import { isLive } from './end-job.js';
import { jobColumns, jobOf } from './job-record.js';
import type { StoreScope } from './scope.js';

/** Leases the oldest job whose lease has expired, or that is queued and not paused. */
export async function claimJob(
  scope: StoreScope,
  worker: string,
  leaseMs: number,
  { exceptTrigger }: ClaimOptions = {},
): Promise<JobRecord | null> {
  const { db, namespace } = scope;
  const { now } = db.dialect;
  const oldest = `select j.seq from trove_jobs j where j.namespace = :namespace and j.${isLive}
      and ((j.status = 'queued' and coalesce(j.paused_until, 0) <= ${now}) or (j.status = 'running' and j.lease_until <= ${now}))
      ${exceptTrigger === undefined ? '' : 'and j.triggered_by <> :exceptTrigger'}
    order by j.seq limit 1`;
  // Workers poll often and mostly in vain, which must not block writers.
  const bindings = { namespace, ...(exceptTrigger === undefined ? {} : { exceptTrigger }) };
  if ((await db.all(oldest, bindings)).length === 0) return null;
  return db.write(async (session) => {
    const locking = `${oldest} ${db.dialect.skipLocked('j')}`;
    const [candidate] = await session.all(locking, bindings);
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
    const seq = number(row, 'seq');
    if (job.checkpoint === null) return restartListing(session, scope, seq);
    await session.run('delete from trove_listed_parts where job = :seq and is_kept = 0', { seq });
    return job;
  });
}

/** The listing counts its objects again. Only the number of tasks is known already. */
async function restartListing(
  session: StoreSession,
  { db }: StoreScope,
  seq: number,
): Promise<JobRecord | null> {
  await session.run(db.table('trove_listed_parts').where({ job: seq }).delete());
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

export async function pauseJob(
  { db, namespace }: StoreScope,
  jobId: string,
  ms: number,
): Promise<void> {
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
