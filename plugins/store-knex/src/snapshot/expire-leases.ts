import type { StoreSession } from '../database/types.js';

/** Lets workers take over the jobs of a snapshot at once, because no worker of the copy holds their leases. */
export async function expireLeases(session: StoreSession): Promise<void> {
  for (const table of ['trove_jobs', 'trove_tasks'])
    await session.run(`update ${table} set lease_until = 0 where lease_until is not null`);
}
