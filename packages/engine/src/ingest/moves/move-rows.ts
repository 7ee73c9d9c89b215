import { joinUri, relativePath } from '@trove/core';
import type { Collection, IndexRow } from '@trove/core/index';
import type { ConnectorRecord, ObjectCatalog } from '@trove/core/store';
import { objectOfGroup, summaryGroup } from '../../content/row-ids.js';
import { objectId } from '../../sources/ids.js';
import { nameOf } from '../../sources/objects/stated-type.js';

/** The number of groups that are read at the same time. */
const maxReads = 8;
/** The number of groups that are written together. */
const maxWrites = 256;

/**
 * Gives the index rows of a moved source their new URIs. The rows keep their vectors. A repeated call continues, because
 * it leaves rows that have their new URI unchanged.
 */
export async function moveRows(
  collection: Pick<Collection, 'groups' | 'rows' | 'replace'>,
  source: ConnectorRecord,
  signal: AbortSignal,
): Promise<void> {
  await collection.groups(source.id, async (some) => {
    const groups = [...some.keys()];
    for (let from = 0; from < groups.length; from += maxWrites) {
      signal.throwIfAborted();
      const moved = await movedGroups(collection, source, groups.slice(from, from + maxWrites));
      if (moved.length > 0) await collection.replace(moved, { signal });
    }
  });
}

interface MovedGroup {
  readonly group: string;
  readonly rows: readonly IndexRow[];
}

/** Returns the groups that have rows with a former URI, with all of their rows. */
async function movedGroups(
  collection: Pick<Collection, 'rows'>,
  source: ConnectorRecord,
  groups: readonly string[],
): Promise<MovedGroup[]> {
  const moved: MovedGroup[] = [];
  for (let from = 0; from < groups.length; from += maxReads) {
    const found = await Promise.all(
      groups.slice(from, from + maxReads).map(async (group) => {
        const rows = await collection.rows(group);
        return { group, rows: rows.map((row) => movedRow(source, row)), before: rows };
      }),
    );
    for (const { group, rows, before } of found)
      if (rows.some((row, at) => row !== before[at])) moved.push({ group, rows });
  }
  return moved;
}

function movedRow(source: ConnectorRecord, row: IndexRow): IndexRow {
  const path = pathOf(source, row);
  if (path === null) return row;
  const uri = joinUri(source.rootUri, path);
  return uri === row.source ? row : { ...row, source: uri };
}

/**
 * Returns the path of a row within its source. If one root contains another, the id of the object tells under which root
 * the row still is.
 */
function pathOf({ id, rootUri, movedFrom }: ConnectorRecord, row: IndexRow): string | null {
  const object = objectOfGroup(row.group);
  for (const root of [rootUri, ...movedFrom]) {
    const path = relativePath(root, row.source);
    if (path === null) continue;
    const ids = [objectId(id, path), objectId(id, `${path}/`)];
    if (ids.some((each) => each === object || summaryGroup(each) === object)) return path;
  }
  return null;
}

/** Invalidates a source that is one file if its name has changed, because searches find it by its name. */
export async function invalidateRenamedFile(
  objects: Pick<ObjectCatalog, 'findByPath' | 'invalidate'>,
  { id, rootUri, movedFrom }: ConnectorRecord,
): Promise<void> {
  const name = nameOf(rootUri, '');
  if (movedFrom.every((root) => nameOf(root, '') === name)) return;
  const files = await objects.findByPath(id, ['']);
  if (files.length > 0)
    await objects.invalidate(
      id,
      files.map((file) => file.id),
    );
}
