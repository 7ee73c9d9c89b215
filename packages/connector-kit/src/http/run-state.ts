import type { ChangesRequest } from '@trove/core';

import { pathOf } from './entries.js';
import type { Located } from './list.js';
import type { RecentKeys } from './recent-keys.js';
import type { Cursor, CursorDraft } from './cursor.js';
import { isTruthy } from './json.js';
import { itemScope, listingScope, plannedStream, type Page } from './pages.js';
import type { PlannedObject } from './plan.js';
import type { HttpSource, Run } from './source.js';
import { evaluate } from './template.js';
import type { Work } from './work.js';

/** A request for the changes of a source. */
export type ListingRequest = Pick<ChangesRequest, 'cursor' | 'commit' | 'resume'> & {
  /** Receives each listed entry. */
  readonly remember: (located: Located) => void;
};

/** What the parts of an incremental run share. */
export interface RunState {
  readonly source: HttpSource;
  /** Where the last run ended. */
  readonly cursor: Cursor;
  /** Where this run will end. */
  readonly draft: CursorDraft;
  readonly run: Run;
  /** The keys of the records that are counted, because an item may move to a later page. */
  readonly counted: RecentKeys;
  /** Receives each listed entry. */
  readonly remember: (located: Located) => void;
}

/** Whether an incremental run requests a stream. Objects that are read again need none of their own. */
export function isNeeded(source: HttpSource, name: string): boolean {
  const { plan } = source;
  if (plan.entryStreams.has(name)) return true;
  return plan.objects.some(
    (object) => object.closure.has(name) && isIncremental(source, object.name),
  );
}

/**
 * Whether all records of an object can be found by changes: its outermost record streams are incremental, or parents of them
 * that list no objects.
 */
export function isIncremental(source: HttpSource, name: string): boolean {
  const object = source.plan.objects.find((each) => each.name === name);
  if (object === undefined) return false;
  return object.streams.every((each) => {
    const { description, ancestors } = plannedStream(source, each);
    if (description.incremental !== undefined) return true;
    return ancestors.some((parent) => {
      const { object: own, description: outer } = plannedStream(source, parent);
      const isOwn = own === object || (own === null && object.closure.has(parent));
      return isOwn && outer.incremental !== undefined;
    });
  });
}

/** Whether an item of a listing is deleted. */
export async function isGoneItem(
  { source, run }: RunState,
  { stream, work }: Page,
  item: unknown,
): Promise<boolean> {
  const { isGone } = stream.description;
  if (work.isGone === true) return true;
  if (isGone === undefined) return false;
  const scope = itemScope(listingScope(source, stream, work, run), item);
  return isTruthy(await evaluate(isGone, item, scope));
}

/** Returns the path of the object whose records a listing has. Another object may have its name, so the known path counts. */
export function objectPath(
  { source, draft, run }: RunState,
  { description }: PlannedObject,
  { parents, slot }: Pick<Work, 'parents' | 'slot'>,
): string {
  const { for: parent, path } = description;
  const isOwn = parent !== undefined && slot?.startsWith(`${parent}/`) === true;
  const known = isOwn ? draft.pathOf(slot) : undefined;
  const item = parent === undefined ? undefined : parents[parent];
  return known ?? pathOf(path, source.scope(run, { parents, item }));
}

/** Returns the slot that a listing belongs to, as a member. */
export function slotOf({ slot }: Pick<Work, 'slot'>): Pick<Work, 'slot'> {
  return slot === undefined ? {} : { slot };
}
