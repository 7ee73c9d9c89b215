import { createHash } from 'node:crypto';

import type { StoreSession } from '../database/types.js';
import { number } from '../database/values.js';
import { isLive, lockJobs, type LockedJob } from './end-job.js';
import { connectorNumber, type StoreScope } from './scope.js';

/*
 * Known parts are the parts of the last full listing of a source that contained no changes. Most syncs find nothing new
 * and list the same parts again. Recognizing a part takes a fraction of comparing its objects. Any change of an object
 * deletes the known parts of its source. Saving and deleting them requires the job, since row locks do not keep out new
 * rows.
 */

/** A listing with its locked job. */
interface ListingJob {
  readonly session: StoreSession;
  readonly scope: StoreScope;
  readonly job: LockedJob;
}

/** Returns a digest of the paths and revisions in order, or null if an object cannot be compared. */
export function digestOf(revisions: ReadonlyMap<string, string | null>): string | null {
  if (revisions.size === 0) return null;
  const texts: string[] = [];
  for (const [path, revision] of revisions) {
    if (revision === null) return null;
    texts.push(path, revision);
  }
  const all = texts.join('');
  // As UTF-8, all lone surrogates would be equal.
  if (!all.isWellFormed()) return null;
  // With their lengths, different lists of texts never have the same bytes.
  const lengths = Uint32Array.from(texts, ({ length }) => length);
  return createHash('sha256').update(all).update(lengths).digest('hex');
}

/**
 * Records the objects of a known part as listed. Returns the number of left-out objects, or null for an unknown part.
 */
export async function markKnownPart(
  { session, scope, job }: ListingJob,
  digest: string | null,
): Promise<number | null> {
  if (digest === null) return null;
  // A task may concern one of the objects.
  const [seen] = await session.all(
    `insert into trove_listed_parts (job, ids, left_out, digest)
      select cast(:job as bigint), p.ids, p.left_out, p.digest from trove_known_parts p
      where p.connector = ${connectorNumber} and p.digest = :digest
        and not exists (select 1 from trove_tasks t where t.job = :job)
      returning left_out`,
    { job: job.seq, digest, namespace: scope.namespace, connectorId: job.connectorId },
  );
  return seen === undefined ? null : number(seen, 'left_out');
}

/** Whether this listing contained all known parts, and therefore every object. */
export async function allPartsSeen({ session, scope, job }: ListingJob): Promise<boolean> {
  const [row] = await session.all(
    `select count(*) as parts, count(m.digest) as seen
      from trove_known_parts p left join (select distinct digest from trove_listed_parts where job = :job) m
        on m.digest = p.digest
      where p.connector = ${connectorNumber}`,
    { job: job.seq, namespace: scope.namespace, connectorId: job.connectorId },
  );
  return (
    row !== undefined && number(row, 'parts') > 0 && number(row, 'parts') === number(row, 'seen')
  );
}

/** Saves the parts of a full listing without differences and replaces the previous ones. */
export async function saveParts({ session, scope, job }: ListingJob): Promise<void> {
  const bound = { job: job.seq, namespace: scope.namespace, connectorId: job.connectorId };
  const [other] = await session.all(
    `select 1 as differs from trove_tasks where job = :job
      union all select 1 from trove_listed_parts where job = :job and digest is null limit 1`,
    { job: job.seq },
  );
  if (other !== undefined) return;
  await session.run(
    `delete from trove_known_parts where connector = ${connectorNumber}
      and digest not in (select digest from trove_listed_parts where job = :job)`,
    bound,
  );
  await session.run(
    `insert into trove_known_parts (connector, digest, ids, left_out)
      select ${connectorNumber}, digest, ids, left_out from trove_listed_parts where job = :job
      on conflict (connector, digest) do nothing`,
    bound,
  );
}

/** Call with each change of objects while holding the job that makes it. */
export async function deleteParts(session: StoreSession, connector: number): Promise<void> {
  await session.run('delete from trove_known_parts where connector = :connector', { connector });
}

/**
 * Deletes known parts without holding a job. The caller has locked the connector, so no job starts. A listing in
 * progress does not save its parts either.
 */
export async function deletePartsOf(
  session: StoreSession,
  scope: StoreScope,
  connectorId: string,
): Promise<void> {
  const live = `connector_id = :connectorId and ${isLive}`;
  for (const { seq } of await lockJobs(session, scope, live, { connectorId }))
    await session.run('update trove_listed_parts set digest = null where job = :seq', { seq });
  await session.run(`delete from trove_known_parts where connector = ${connectorNumber}`, {
    namespace: scope.namespace,
    connectorId,
  });
}
