import type { TaskFailure } from '@trove/core/store';

import type { Database, StoreSession } from '../database/types.js';
import { rows } from '../database/values.js';

const failureTypes = { task: 'bigint', path: 'text', code: 'text', error: 'text' } as const;

/** Adds failures to a job in their order. */
export async function recordFailures(
  session: StoreSession,
  { dialect }: Database,
  job: number,
  failures: readonly (TaskFailure & { readonly task: number })[],
): Promise<void> {
  if (failures.length === 0) return;
  await session.run(
    `insert into trove_failures (job, task, path, code, error)
      select cast(:job as bigint), task, path, code, error
      from ${dialect.rows('failed', failureTypes)} r order by r.n`,
    { job, failed: rows(failures.map(({ task, path, code, error }) => [task, path, code, error])) },
  );
}
