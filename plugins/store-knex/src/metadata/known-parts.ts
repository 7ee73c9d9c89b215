import { createHash } from 'node:crypto';

import type { StoreSession } from '../database/types.js';
import { number } from '../database/values.js';
import { isLive, lockJobs, type LockedJob } from './end-job.js';
import { connectorNumber, type StoreScope } from './scope.js';

/*
 * The parts of the last full listing of a source that differed in nothing from what was known. Most syncs find nothing new,
 * and then all parts come again: to recognise one takes a fraction of what comparing its objects does. They are forgotten
 * when any object of the source changes. Whoever remembers or forgets them holds the job, since locks on rows do not keep
 * new ones away.
 */

/** A listing, whose job is locked. */
interface ListingJob {
  readonly session: StoreSession;
  readonly scope: StoreScope;
  readonly job: LockedJob;
}

/** The same only for parts with the same revisions in the same order; null if one cannot be compared. */
export function digestOf(revisions: ReadonlyMap<string, string | null>): string | null {
  if (revisions.size === 0) return null;
  const texts: string[] = [];
  for (const [path, revision] of revisions) {
    if (revision === null) return null;
    texts.push(path, revision);
  }
  const all = texts.join('');
  // As bytes, halves of characters would all be alike.
  if (!all.isWellFormed()) return null;
  // With their lengths no two lists of texts are written alike.
  const lengths = Uint32Array.from(texts, ({ length }) => length);
  return createHash('sha256').update(all).update(lengths).digest('hex');
}

/** Records the objects of a known part as listed; returns how many of them are left out, or null if it is not known. */
export async function markKnownPart(
  { session, scope, job }: ListingJob,
  digest: string | null,
): Promise<number | null> {
  if (digest === null) return null;
  // A task may be about one of the objects.
  const [met] = await session.all(
    `insert into trove_met (job, ids, left_out, digest)
      select cast(:job as bigint), p.ids, p.left_out, p.digest from trove_parts p
      where p.connector = ${connectorNumber} and p.digest = :digest
        and not exists (select 1 from trove_tasks t where t.job = :job)
      returning left_out`,
    { job: job.seq, digest, namespace: scope.namespace, connectorId: job.connectorId },
  );
  return met === undefined ? null : number(met, 'left_out');
}

/** Whether this listing contained all parts that are known, and so every object that there is. */
export async function allPartsSeen({ session, scope, job }: ListingJob): Promise<boolean> {
  const [row] = await session.all(
    `select count(*) as parts, count(m.digest) as met
      from trove_parts p left join (select distinct digest from trove_met where job = :job) m
        on m.digest = p.digest
      where p.connector = ${connectorNumber}`,
    { job: job.seq, namespace: scope.namespace, connectorId: job.connectorId },
  );
  return (
    row !== undefined && number(row, 'parts') > 0 && number(row, 'parts') === number(row, 'met')
  );
}

/** Remembers the parts of a full listing in which nothing differed, in place of those of the one before. */
export async function saveParts({ session, scope, job }: ListingJob): Promise<void> {
  const bound = { job: job.seq, namespace: scope.namespace, connectorId: job.connectorId };
  const [other] = await session.all(
    `select 1 as differs from trove_tasks where job = :job
      union all select 1 from trove_met where job = :job and digest is null limit 1`,
    { job: job.seq },
  );
  if (other !== undefined) return;
  await session.run(
    `delete from trove_parts where connector = ${connectorNumber}
      and digest not in (select digest from trove_met where job = :job)`,
    bound,
  );
  await session.run(
    `insert into trove_parts (connector, digest, ids, left_out)
      select ${connectorNumber}, digest, ids, left_out from trove_met where job = :job
      on conflict (connector, digest) do nothing`,
    bound,
  );
}

/** To be called with each change of objects, by whoever holds the job that changes them. */
export async function deleteParts(session: StoreSession, connector: number): Promise<void> {
  await session.run('delete from trove_parts where connector = :connector', { connector });
}

/**
 * The same for whoever holds no job, but has locked the connector, so that none begins: one that is listing does not remember
 * what it has met so far, either.
 */
export async function deletePartsOf(
  session: StoreSession,
  scope: StoreScope,
  connectorId: string,
): Promise<void> {
  const live = `connector_id = :connectorId and ${isLive}`;
  for (const { seq } of await lockJobs(session, scope, live, { connectorId }))
    await session.run('update trove_met set digest = null where job = :seq', { seq });
  await session.run(`delete from trove_parts where connector = ${connectorNumber}`, {
    namespace: scope.namespace,
    connectorId,
  });
}
