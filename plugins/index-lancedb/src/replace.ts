import { randomUUID } from 'node:crypto';
import type { DeleteResult, MergeResult, Table } from '@lancedb/lancedb';
import type { Schema, Table as ArrowTable } from 'apache-arrow';
import { TroveError } from '@trove/core';
import type { IndexGroup } from '@trove/core/index';
import { toArrow } from './encode-rows.js';
import { isDuplicate, pause, retryWhile } from './failures.js';
import {
  sentinelSlot,
  tombstoneGroup,
  textOf,
  tombstone,
  type RawRow,
  type StoredRow,
} from './rows.js';
import { changesOf } from './waiting-loads.js';
import { isOneOf, quote } from './where.js';

const maxAttempts = 8;
/** Rows written at a time, because they take three times their memory while they are written. */
const rowsPerCommit = 4096;
/**
 * Finding overwritten rows by the index takes 3 ms of processor time per unindexed fragment. Comparing all slots takes
 * as long for this many rows. Counts all fragments, because during a job most are unindexed.
 */
const rowsComparedPerFragment = 10_000;

/** The slot and revision of each stored row of a group. */
interface StoredGroup {
  readonly slots: string[];
  readonly revisions: Set<string>;
}

/** The numbers of overwritten and removed rows of a replacement or removal. */
export interface RowChanges {
  readonly overwritten: number;
  readonly removed: number;
}

type StoredGroups = ReadonlyMap<string, StoredGroup>;

/**
 * Replaces the stored rows of groups, usually in one commit. Each row has a slot (its group and position), and a write
 * to a slot overwrites it. Tombstones overwrite the unused slots of a shrunken group. This reads only the slots, while
 * deleting rows would read the whole table. New groups are appended. Two processes that append the same group, or that
 * read a group before another's commit, would leave rows of both. So after commits of others, the groups are read again
 * and rewritten if they are mixed.
 */
export async function replaceGroups(
  table: Table,
  schema: Schema,
  groups: readonly IndexGroup[],
): Promise<RowChanges> {
  const wanted = new Map(groups.map((group) => [group.group, group]));
  const names = [...wanted.keys()];
  if (groups.every(({ rows }) => rows.length === 0)) return removeGroups(table, names);
  const old = names.filter((name) => wanted.get(name)?.isNew !== true);
  const changes = { overwritten: 0, removed: 0 };
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    await table.checkoutLatest();
    const before = await table.version();
    // Commits of others in between may also contain rows of new groups.
    const stored = await storedGroups(table, attempt === 0 ? old : names);
    await removeDuplicates(table, stored);
    const revision = randomUUID();
    const written = await unlessDuplicate(() =>
      write(table, schema, [...wanted.values()], stored, revision),
    );
    for (const [name, { slots }] of stored) {
      changes[wanted.get(name)?.rows.length === 0 ? 'removed' : 'overwritten'] += slots.length;
    }
    if (written !== undefined && written.version <= before + written.commits) return changes;
    if (written !== undefined && isWhole(await storedGroups(table, names), wanted, revision)) {
      return changes;
    }
    await pause(attempt);
  }
  throw tooManyConflicts();
}

/** Removes groups without reading their rows. */
async function removeGroups(table: Table, names: readonly string[]): Promise<RowChanges> {
  const where = isOneOf('`group`', names);
  let removed = 0;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    await table.checkoutLatest();
    const before = await table.version();
    // Even a commit that removes nothing creates a version.
    if ((await table.countRows(where)) === 0) return { overwritten: 0, removed };
    const { version, numDeletedRows } = await removeRows(table, where);
    removed += numDeletedRows;
    // Commits of others in between may contain rows of these groups.
    if (version <= before + 1) return { overwritten: 0, removed };
    await pause(attempt);
  }
  throw tooManyConflicts();
}

function tooManyConflicts(): TroveError {
  return new TroveError('storage_unavailable', 'Other processes kept replacing the same objects.', {
    retryable: true,
  });
}

/** Removes the rows matching a condition. */
export function removeRows(table: Table, where: string): Promise<DeleteResult> {
  return retryWhile(() => table.delete(where));
}

export async function removeTombstones(table: Table): Promise<void> {
  const isTombstone = `\`group\` = ${quote(tombstoneGroup)}`;
  await removeRows(table, `${isTombstone} AND slot <> ${quote(sentinelSlot)}`);
}

async function storedGroups(table: Table, names: readonly string[]): Promise<StoredGroups> {
  const groups = new Map<string, StoredGroup>();
  if (names.length === 0) return groups;
  const raw: RawRow[] = await table
    .query()
    .where(isOneOf('`group`', names))
    .select(['group', 'slot', 'revision'])
    .toArray();
  for (const row of raw) {
    const name = textOf(row, 'group');
    const group = groups.get(name) ?? { slots: [], revisions: new Set<string>() };
    group.slots.push(textOf(row, 'slot'));
    group.revisions.add(textOf(row, 'revision'));
    groups.set(name, group);
  }
  return groups;
}

/** Removes groups with a duplicate slot: overwriting would write both copies. */
async function removeDuplicates(table: Table, stored: StoredGroups): Promise<void> {
  const doubled = [...stored].filter(([, { slots }]) => new Set(slots).size < slots.length);
  if (doubled.length === 0) return;
  await removeRows(
    table,
    isOneOf(
      '`group`',
      doubled.map(([name]) => name),
    ),
  );
}

/** Undefined when the store found a duplicate slot, which another process has just created. */
async function unlessDuplicate<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (isDuplicate(error)) return undefined;
    throw error;
  }
}

interface WriteResult {
  /** The version of the last commit, or the current one if nothing was written. */
  readonly version: number;
  readonly commits: number;
}

async function write(
  table: Table,
  schema: Schema,
  groups: readonly IndexGroup[],
  stored: StoredGroups,
  revision: string,
): Promise<WriteResult> {
  const rows = groups.flatMap((group) => storedRows(group, revision, stored.has(group.group)));
  const kept = new Set(rows.map(({ slot }) => slot));
  const tombstones = [...stored.values()]
    .flatMap(({ slots }) => slots)
    .filter((slot) => !kept.has(slot))
    .map((slot) => tombstone(slot, revision));
  const written = await commitInParts([...rows, ...tombstones], async (part) => {
    const data = await toArrow(part, schema);
    if (stored.size === 0) return retryWhile(() => table.add(data));
    return retryWhile(() => overwrite(table, data));
  });
  if (tombstones.length > 0) await removeTombstones(table);
  return written;
}

async function overwrite(table: Table, data: ArrowTable): Promise<MergeResult> {
  const { numRows: rows, fragmentStats } = await table.stats();
  const isLookedUp = rows > rowsComparedPerFragment * fragmentStats.numFragments;
  return table
    .mergeInsert('slot')
    .whenMatchedUpdateAll()
    .whenNotMatchedInsertAll()
    .useIndex(isLookedUp)
    .execute(data);
}

/** At least one row. */
async function commitInParts(
  rows: readonly StoredRow[],
  commit: (part: readonly StoredRow[]) => Promise<{ readonly version: number }>,
): Promise<WriteResult> {
  let written: WriteResult = { version: 0, commits: 0 };
  for (let from = 0; from < rows.length; from += rowsPerCommit) {
    const { version } = await commit(rows.slice(from, from + rowsPerCommit));
    written = { version, commits: written.commits + 1 };
  }
  return written;
}

function storedRows(group: IndexGroup, revision: string, isChange: boolean): StoredRow[] {
  const { load = '' } = group;
  return group.rows.map((row, i) => ({
    slot: `${group.group}#${i}`,
    revision,
    load: isChange ? changesOf(load) : load,
    row,
  }));
}

/** Whether each group is entirely as requested, or entirely as one later replacement left it. */
function isWhole(
  stored: StoredGroups,
  wanted: ReadonlyMap<string, IndexGroup>,
  revision: string,
): boolean {
  return [...wanted.values()].every(({ group, rows }) => {
    const found = stored.get(group);
    if (found === undefined) return rows.length === 0;
    if (found.revisions.size > 1 || new Set(found.slots).size < found.slots.length) return false;
    return !found.revisions.has(revision) || found.slots.length === rows.length;
  });
}
