import type { WorkerLeases } from '@trove/core/store';

import type { StoreSession } from '../database/types.js';
import { number, text } from '../database/values.js';
import { lockJobs, type LockedJob } from './end-job.js';
import type { StoreScope } from './scope.js';

export class SqlLeases implements WorkerLeases {
  readonly #scope: StoreScope;

  constructor(scope: StoreScope) {
    this.#scope = scope;
  }

  renew(worker: string, leaseMs: number): Promise<string[]> {
    return renew(this.#scope, worker, Math.round(leaseMs));
  }

  release(worker: string, options?: { readonly died: boolean }): Promise<void> {
    return release(this.#scope, worker, options?.died ?? false);
  }

  async holders(): Promise<string[]> {
    const { db, namespace } = this.#scope;
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
  }
}

async function renew(scope: StoreScope, worker: string, leaseMs: number): Promise<string[]> {
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

async function release(scope: StoreScope, worker: string, died: boolean): Promise<void> {
  await scope.db.write(async (session) => {
    for (const { seq } of await lockJobsOf(session, scope, worker)) {
      // A released task did not fail, so it does not count as an attempt.
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

/** Locks the jobs that the worker holds or has tasks of. */
function lockJobsOf(
  session: StoreSession,
  scope: StoreScope,
  worker: string,
): Promise<LockedJob[]> {
  return lockJobs(
    session,
    scope,
    `status in ('queued', 'running') and (worker = :worker
      or seq in (select job from trove_tasks where worker = :worker))`,
    { worker },
  );
}
