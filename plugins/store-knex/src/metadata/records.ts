import type {
  RecordCatalog,
  RecordsDifference,
  RecordState,
  RecordsUpdate,
  RecordTotals,
  StoredRecord,
} from '@trove/core/store';

import type { Row, StoreSession } from '../database/types.js';
import {
  flag,
  list,
  members,
  number,
  numberOrNull,
  rows,
  text,
  textOrNull,
  texts,
} from '../database/values.js';
import { lockJobs, type LockedJob } from './end-job.js';
import { connectorNumber, type StoreScope } from './scope.js';

const columnTypes = {
  key: 'text',
  version: 'text',
  chunks: 'bigint',
  thread: 'text',
  at: 'real',
  is_truncated: 'bigint',
} as const;
const columns = Object.keys(columnTypes).join(', ');

type RecordPageOptions = Parameters<RecordCatalog['list']>[1];
type ThreadListOptions = Parameters<RecordCatalog['invalidatedThreads']>[2];

export class SqlRecords implements RecordCatalog {
  readonly #scope: StoreScope;

  constructor(scope: StoreScope) {
    this.#scope = scope;
  }

  compare(
    connectorId: string,
    objectId: string,
    versions: ReadonlyMap<string, string | null>,
  ): Promise<RecordsDifference> {
    return compare(this.#scope, connectorId, objectId, versions);
  }

  list(connectorId: string, options: RecordPageOptions): Promise<StoredRecord[]> {
    return after(this.#scope, connectorId, options);
  }

  totals(connectorId: string, objectId: string): Promise<RecordTotals> {
    return totals(this.#scope, connectorId, objectId);
  }

  invalidatedThreads(
    connectorId: string,
    objectId: string,
    options: ThreadListOptions,
  ): Promise<string[]> {
    return invalidatedThreads(this.#scope, { connectorId, objectId }, options);
  }

  put(jobId: string, worker: string, objectId: string, update: RecordsUpdate): Promise<boolean> {
    return this.#scope.db.write((session) =>
      put(session, this.#scope, { jobId, worker, objectId }, update),
    );
  }

  invalidate(connectorId: string, objectId: string, keys: readonly string[]): Promise<void> {
    return this.#scope.db.write((session) =>
      invalidate(session, this.#scope, { connectorId, objectId }, keys),
    );
  }
}

/** Returns one row with lists, because most records are unchanged and a row for each would dominate the time. */
async function compare(
  { db, namespace }: StoreScope,
  connectorId: string,
  objectId: string,
  versions: ReadonlyMap<string, string | null>,
): Promise<RecordsDifference> {
  if (versions.size === 0) return { unchanged: [], changed: [], added: [] };
  const { jsonArrayWhere, members: membersTable, isOneOf } = db.dialect;
  const bound = { namespace, connectorId, objectId };
  const isSame = '(r.version = e.value or e.value is null)';
  const [found] = await db.all(
    `select ${jsonArrayWhere('r.n', `r.n is not null and ${isSame}`)} as unchanged,
        ${jsonArrayWhere('e.key', `r.n is not null and ${isSame} is not true`)} as changed,
        ${jsonArrayWhere('e.key', 'r.n is null')} as added
      from ${membersTable(':versions', 'e')} left join trove_records r
        on r.connector = ${connectorNumber} and r.object_id = :objectId and r.key = e.key`,
    { ...bound, versions: members(versions) },
  );
  if (found === undefined) return { unchanged: [], changed: [], added: [...versions.keys()] };
  const changed = texts(found, 'changed');
  const stored =
    changed.length === 0
      ? []
      : await db.all(
          `select n, object_id, ${columns} from trove_records
            where connector = ${connectorNumber} and object_id = :objectId
              and ${isOneOf('key', 'keys', 'text')}`,
          { ...bound, keys: list(changed) },
        );
  return {
    unchanged: texts(found, 'unchanged').map(Number),
    changed: stored.map(recordOf),
    added: texts(found, 'added'),
  };
}

async function after(
  { db, namespace }: StoreScope,
  connectorId: string,
  { objectId, threads, times, after: place, limit }: RecordPageOptions,
): Promise<StoredRecord[]> {
  const found = await db.all(
    `select n, object_id, ${columns} from trove_records
      where connector = ${connectorNumber}
        ${objectId === null ? '' : 'and object_id = :objectId'}
        ${threads === undefined ? '' : `and ${db.dialect.isOneOf('thread', 'threads', 'text')}`}
        ${times === undefined ? '' : 'and at >= :from and at < :to'}
        ${place === null ? '' : 'and (object_id, key) > (:lastObject, :lastKey)'}
      order by object_id, key limit :limit`,
    {
      namespace,
      connectorId,
      limit,
      ...(objectId === null ? {} : { objectId }),
      ...(threads === undefined ? {} : { threads: list(threads) }),
      ...(times === undefined ? {} : { from: times.from, to: times.to }),
      ...(place === null ? {} : { lastObject: place.objectId, lastKey: place.key }),
    },
  );
  return found.map(recordOf);
}

async function totals(
  { db, namespace }: StoreScope,
  connectorId: string,
  objectId: string,
): Promise<RecordTotals> {
  const ofObject = `connector = ${connectorNumber} and object_id = :objectId`;
  // Nearly all records have one chunk. An index of the others avoids reading the records themselves.
  const [found] = await db.all(
    `select count(*) as records, coalesce(max(n), 0) as last,
        cast(count(*) + (select coalesce(sum(chunks - 1), 0) from trove_records
          where ${ofObject} and chunks <> 1) as bigint) as chunks,
        (select count(*) from trove_records where ${ofObject} and is_truncated = 1) as truncated
      from trove_records where ${ofObject}`,
    { namespace, connectorId, objectId },
  );
  if (found === undefined) return { records: 0, chunks: 0, truncated: 0, last: 0 };
  return {
    records: number(found, 'records'),
    chunks: number(found, 'chunks'),
    truncated: number(found, 'truncated'),
    last: number(found, 'last'),
  };
}

async function invalidatedThreads(
  { db, namespace }: StoreScope,
  object: RecordOwner,
  { after: place, limit }: ThreadListOptions,
): Promise<string[]> {
  const found = await db.all(
    `select distinct thread from trove_records
      where connector = ${connectorNumber} and object_id = :objectId and version is null
        and thread ${place === null ? 'is not null' : '> :place'}
      order by thread limit :limit`,
    { ...object, namespace, limit, ...(place === null ? {} : { place }) },
  );
  return found.map((row) => text(row, 'thread'));
}

interface RecordLease {
  readonly jobId: string;
  readonly worker: string;
  readonly objectId: string;
}

async function put(
  session: StoreSession,
  scope: StoreScope,
  { jobId, worker, objectId }: RecordLease,
  update: RecordsUpdate,
): Promise<boolean> {
  const [job] = await lockJobs(session, scope, 'id = :jobId', { jobId });
  if (job === undefined) return false;
  const { connectorId } = job;
  if (!(await isHeld(session, scope, job, worker, objectId))) {
    const keys = [...update.removed, ...update.put.map(({ key }) => key)];
    await invalidate(session, scope, { connectorId, objectId }, keys);
    return false;
  }
  await removeRecords(session, scope, { connectorId, objectId }, update.removed);
  await putAll(session, scope, { connectorId, objectId }, update.put);
  const chunks = update.put.reduce((sum, state) => sum + state.chunks, 0);
  if (chunks > 0)
    await session.run('update trove_jobs set chunks = chunks + :chunks where seq = :seq', {
      seq: job.seq,
      chunks,
    });
  return true;
}

/** Whether the worker holds the job, or the task of the object in it. */
async function isHeld(
  session: StoreSession,
  { db }: StoreScope,
  { seq }: LockedJob,
  worker: string,
  objectId: string,
): Promise<boolean> {
  const { now } = db.dialect;
  const held = await session.all(
    `select 1 as held from trove_jobs where seq = :seq and status = 'running'
        and worker = :worker and lease_until > ${now}
      union all select 1 from trove_tasks where job = :seq and object_id = :objectId
        and outcome is null and worker = :worker and lease_until > ${now}`,
    { seq, worker, objectId },
  );
  return held.length > 0;
}

interface RecordOwner {
  readonly connectorId: string;
  readonly objectId: string;
}

async function putAll(
  session: StoreSession,
  { db, namespace }: StoreScope,
  object: RecordOwner,
  states: readonly RecordState[],
): Promise<void> {
  if (states.length === 0) return;
  const values = states.map(({ key, version, chunks, thread, at, isTruncated }) => {
    return [key, version, chunks, thread, at, isTruncated ? 1 : 0];
  });
  await session.run(
    `insert into trove_records (connector, object_id, ${columns})
      select ${connectorNumber}, cast(:objectId as text), ${columns}
      from ${db.dialect.rows('records', columnTypes)} r where true order by r.n
      on conflict (connector, object_id, key)
        do update set version = excluded.version, chunks = excluded.chunks,
          thread = excluded.thread, at = excluded.at, is_truncated = excluded.is_truncated`,
    { ...object, namespace, records: rows(values) },
  );
}

async function removeRecords(
  session: StoreSession,
  { db, namespace }: StoreScope,
  object: RecordOwner,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await session.run(
    `delete from trove_records where connector = ${connectorNumber} and object_id = :objectId
      and ${db.dialect.isOneOf('key', 'keys', 'text')}`,
    { ...object, namespace, keys: list(keys) },
  );
}

async function invalidate(
  session: StoreSession,
  { db, namespace }: StoreScope,
  object: RecordOwner,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await session.run(
    `update trove_records set version = null
      where connector = ${connectorNumber} and object_id = :objectId
        and ${db.dialect.isOneOf('key', 'keys', 'text')}`,
    { ...object, namespace, keys: list(keys) },
  );
}

/** Deletes all records of objects. */
export async function deleteRecords(
  session: StoreSession,
  { db }: StoreScope,
  connector: number,
  objectIds: readonly string[],
): Promise<void> {
  if (objectIds.length === 0) return;
  await session.run(
    `delete from trove_records
      where connector = :connector and ${db.dialect.isOneOf('object_id', 'ids', 'text')}`,
    { connector, ids: list(objectIds) },
  );
}

function recordOf(row: Row): StoredRecord {
  return {
    objectId: text(row, 'object_id'),
    number: number(row, 'n'),
    key: text(row, 'key'),
    version: textOrNull(row, 'version'),
    chunks: number(row, 'chunks'),
    thread: textOrNull(row, 'thread'),
    at: numberOrNull(row, 'at'),
    isTruncated: flag(row, 'is_truncated'),
  };
}
