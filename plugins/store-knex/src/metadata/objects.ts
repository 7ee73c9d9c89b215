import { objectKinds } from '@trove/core';
import type {
  LeftOut,
  ObjectCatalog,
  ObjectRecord,
  ObjectStats,
  ObjectTypeFilter,
  StatedFacts,
} from '@trove/core/store';

import type { Row, StoreDialect, StoreSession } from '../database/types.js';
import {
  flag,
  list,
  number,
  numberOrNull,
  oneOf,
  rows,
  text,
  textOrNull,
} from '../database/values.js';
import { deleteParts, deletePartsOf } from './known-parts.js';
import { compareText, firstAfterPrefix } from './path-order.js';
import { connectorNumber, lockConnector, type StoreScope } from './scope.js';

const searchStatuses = ['indexed', 'partial', 'not_indexed'] as const;

const columnTypes = {
  id: 'text',
  path: 'text',
  kind: 'text',
  media_type: 'text',
  size: 'real',
  modified_at: 'real',
  revision: 'text',
  identity: 'text',
  content_hash: 'text',
  title: 'text',
  search_status: 'text',
  indexable: 'bigint',
  reason: 'text',
  chunks: 'bigint',
  stated: 'text',
} as const;
const columns = Object.keys(columnTypes).join(', ');
const updates = Object.keys(columnTypes)
  .filter((column) => column !== 'id')
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

type ObjectPageOptions = Parameters<ObjectCatalog['list']>[1];

export class SqlObjects implements ObjectCatalog {
  readonly #scope: StoreScope;

  constructor(scope: StoreScope) {
    this.#scope = scope;
  }

  findByPath(connectorId: string, paths: readonly string[]): Promise<ObjectRecord[]> {
    return objectsBy(this.#scope, 'path', connectorId, paths);
  }

  findByIdentity(connectorId: string, identities: readonly string[]): Promise<ObjectRecord[]> {
    return objectsBy(this.#scope, 'identity', connectorId, identities);
  }

  list(connectorId: string, options: ObjectPageOptions): Promise<ObjectRecord[]> {
    return objectsAfter(this.#scope, connectorId, options);
  }

  holders(connectorIds: readonly string[], types: ObjectTypeFilter): Promise<string[]> {
    return connectorsWith(this.#scope, connectorIds, types);
  }

  stats(connectorId: string, path: string): Promise<ObjectStats> {
    return statsOf(this.#scope, connectorId, path);
  }

  leftOut(connectorId: string, limit: number): Promise<LeftOut[]> {
    return reasonsOf(this.#scope, 'not_indexed', connectorId, limit);
  }

  warnings(connectorId: string, limit: number): Promise<LeftOut[]> {
    return reasonsOf(this.#scope, 'indexed', connectorId, limit);
  }

  invalidate(connectorId: string, objectIds: readonly string[]): Promise<void> {
    return invalidate(this.#scope, connectorId, objectIds);
  }
}

/** The cross join makes SQLite look up the values in the index instead of the reverse. */
async function objectsBy(
  { db, namespace }: StoreScope,
  column: 'path' | 'identity',
  connectorId: string,
  values: readonly string[],
): Promise<ObjectRecord[]> {
  if (values.length === 0) return [];
  const { key, elements } = db.dialect;
  const found = await db.all(
    `select o.* from ${elements(':values', 'v')} cross join trove_objects o
      where o.connector = ${connectorNumber}
        and ${key(`o.${column}`)} = ${key('v.value')} and o.${column} = v.value`,
    { namespace, connectorId, values: list(new Set(values)) },
  );
  return found.map((row) => objectOf(row, connectorId));
}

async function objectsAfter(
  { db, namespace }: StoreScope,
  connectorId: string,
  options: ObjectPageOptions,
): Promise<ObjectRecord[]> {
  const { prefix, after, limit, types } = options;
  const { key } = db.dialect;
  const resumes = after !== null && compareText(after, prefix) >= 0;
  const end = firstAfterPrefix(prefix);
  const below = end === null ? '' : `and ${key('path')} <= ${key(':end')} and path < :end`;
  const ofTypes = types === undefined ? null : typeCondition(db.dialect, types);
  const found = await db.all(
    `select ${columns} from trove_objects
      where connector = ${connectorNumber}
        and ${key('path')} >= ${key(':start')} and path ${resumes ? '>' : '>='} :start ${below}
        ${ofTypes === null ? '' : `and ${ofTypes.condition}`}
      order by ${key('path')}, path limit :limit`,
    {
      namespace,
      connectorId,
      limit,
      start: resumes ? after : prefix,
      ...(end === null ? {} : { end }),
      ...ofTypes?.bindings,
    },
  );
  return found.map((row) => objectOf(row, connectorId));
}

async function connectorsWith(
  { db, namespace }: StoreScope,
  connectorIds: readonly string[],
  types: ObjectTypeFilter,
): Promise<string[]> {
  if (connectorIds.length === 0) return [];
  const { condition, bindings } = typeCondition(db.dialect, types);
  const found = await db.all(
    `select c.id from trove_connectors c
      where c.namespace = :namespace and ${db.dialect.isOneOf('c.id', 'ids', 'text')}
        and exists (select 1 from trove_objects o where o.connector = c.seq and ${condition})`,
    { namespace, ids: list(new Set(connectorIds)), ...bindings },
  );
  return found.map((row) => text(row, 'id'));
}

async function statsOf(
  { db, namespace }: StoreScope,
  connectorId: string,
  path: string,
): Promise<ObjectStats> {
  const { key } = db.dialect;
  // '0' follows '/'.
  const inRange = `${key('path')} >= ${key(':path')} and ${key('path')} <= ${key(':end')}
    and (path = :path or (path >= :start and path < :end))`;
  const found = await db.all(
    `select search_status, count(*) as objects, sum(chunks) as chunks from trove_objects
      where connector = ${connectorNumber} ${path === '' ? '' : `and ${inRange}`}
      group by search_status`,
    {
      namespace,
      connectorId,
      ...(path === '' ? {} : { path, start: `${path}/`, end: `${path}0` }),
    },
  );
  const counts = found.map((row) => ({
    status: oneOf(row, 'search_status', searchStatuses),
    objects: number(row, 'objects'),
    chunks: Number(row['chunks']),
  }));
  return {
    objects: counts.reduce((sum, { objects }) => sum + objects, 0),
    chunks: counts.reduce((sum, { chunks }) => sum + chunks, 0),
    bySearchStatus: Object.fromEntries(counts.map(({ status, objects }) => [status, objects])),
  };
}

function typeCondition(
  dialect: StoreDialect,
  { mediaTypes, endings }: ObjectTypeFilter,
): { readonly condition: string; readonly bindings: Readonly<Record<string, string>> } {
  const isLike = endings.map((_, index) => dialect.likeInAnyCase('path', `ending${index}`));
  const conditions = [
    'media_type is null',
    dialect.isOneOf('lower(trim(media_type))', 'types', 'text'),
    `media_type like '%;%'`,
    `path = ''`,
    ...isLike,
  ];
  return {
    condition: `(${conditions.join(' or ')})`,
    bindings: {
      types: list(mediaTypes),
      ...Object.fromEntries(endings.map((ending, index) => [`ending${index}`, `%${ending}`])),
    },
  };
}

async function reasonsOf(
  { db, namespace }: StoreScope,
  status: 'not_indexed' | 'indexed',
  connectorId: string,
  limit: number,
): Promise<LeftOut[]> {
  const found = await db.all(
    `select coalesce(o.reason, '') as reason, count(*) as objects, min(o.path) as path
      from trove_objects o
      where o.connector = ${connectorNumber} and o.search_status = :status
        ${status === 'indexed' ? 'and o.reason is not null' : ''}
        and not exists (select 1 from trove_failed_tasks a
          where a.connector = o.connector and a.object_id = o.id)
      group by o.reason order by count(*) desc, o.reason limit :limit`,
    { namespace, connectorId, limit, status },
  );
  return found.map((row) => ({
    reason: text(row, 'reason'),
    objects: number(row, 'objects'),
    path: text(row, 'path'),
  }));
}

async function invalidate(
  scope: StoreScope,
  connectorId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const { db, namespace } = scope;
  await db.write(async (session) => {
    // A job that begins now could list an object before its invalidation and save its part.
    await lockConnector(session, scope, connectorId);
    await deletePartsOf(session, scope, connectorId);
    await session.run(
      `update trove_objects set revision = null, content_hash = null
        where connector = ${connectorNumber} and ${db.dialect.isOneOf('id', 'ids', 'text')}`,
      { namespace, connectorId, ids: list(ids) },
    );
  });
}

/** Writes objects of one connector. The last one of each id wins. */
export async function putObjects(
  session: StoreSession,
  { db }: StoreScope,
  connector: number,
  records: readonly ObjectRecord[],
): Promise<void> {
  const byId = new Map(records.map((record) => [record.id, record]));
  if (byId.size === 0) return;
  await deleteParts(session, connector);
  await session.run(
    `insert into trove_objects (connector, ${columns})
      select cast(:connector as bigint), ${columns} from ${db.dialect.rows('records', columnTypes)} r
      where true order by r.id
      on conflict (connector, id) do update set ${updates}`,
    { connector, records: rows([...byId.values()].map(rowOf)) },
  );
}

export async function deleteObjects(
  session: StoreSession,
  { db }: StoreScope,
  connector: number,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await deleteParts(session, connector);
  await session.run(
    `delete from trove_objects where connector = :connector and ${db.dialect.isOneOf('id', 'ids', 'text')}`,
    { connector, ids: list(ids) },
  );
}

function rowOf(record: ObjectRecord): (string | number | null)[] {
  return [
    record.id,
    record.path,
    record.kind,
    record.mediaType,
    record.size,
    record.modifiedAt,
    record.revision,
    record.identity,
    record.contentHash,
    record.title,
    record.searchStatus,
    record.indexable ? 1 : 0,
    record.reason,
    record.chunks,
    record.stated === null ? null : JSON.stringify(record.stated),
  ];
}

function objectOf(row: Row, connectorId: string): ObjectRecord {
  return {
    id: text(row, 'id'),
    connectorId,
    path: text(row, 'path'),
    kind: oneOf(row, 'kind', objectKinds),
    mediaType: textOrNull(row, 'media_type'),
    size: numberOrNull(row, 'size'),
    modifiedAt: numberOrNull(row, 'modified_at'),
    revision: textOrNull(row, 'revision'),
    identity: textOrNull(row, 'identity'),
    contentHash: textOrNull(row, 'content_hash'),
    title: textOrNull(row, 'title'),
    searchStatus: oneOf(row, 'search_status', searchStatuses),
    indexable: flag(row, 'indexable'),
    reason: textOrNull(row, 'reason'),
    chunks: number(row, 'chunks'),
    stated: statedOf(textOrNull(row, 'stated')),
  };
}

function statedOf(json: string | null): StatedFacts | null {
  const value: unknown = json === null ? null : JSON.parse(json);
  return isStated(value) ? value : null;
}

/** The store wrote the value itself, so its shape needs no closer check. */
function isStated(value: unknown): value is StatedFacts {
  return typeof value === 'object' && value !== null;
}
