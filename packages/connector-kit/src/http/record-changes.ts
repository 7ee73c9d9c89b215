import {
  locatorKey,
  type Change,
  type CompleteScope,
  type RecordKey,
  type SourceRecord,
} from '@trove/core';

import { childWorks, goneChildWorks } from './children.js';
import { describeItem } from './entries.js';
import { textOf } from './json.js';
import { itemScope, listingScope, plannedStream, type Page } from './pages.js';
import type { PlannedStream } from './plan.js';
import { keyOf } from './records.js';
import { recordsOf } from './read-records.js';
import { isGoneItem, isNeeded, objectPath, slotOf, type RunState } from './run-state.js';
import type { HttpSource } from './source.js';
import { evaluate } from './template.js';
import { windowScope } from './window.js';
import type { Work } from './work.js';

/** How a listing goes on after the changes of a page. */
export interface AfterPage {
  readonly children: readonly Work[];
  /** What the next page must know. */
  readonly next: Pick<Work, 'edge' | 'hasGap'>;
  /** Whether the listing ends here although the service has more pages. */
  readonly isOver: boolean;
}

/** The content of a page. */
interface PageRecords {
  readonly records: readonly SourceRecord[];
  readonly removedKeys: readonly RecordKey[];
  readonly children: readonly Work[];
  /** Threads that deleted items end. */
  readonly endedThreads: readonly string[];
}

/** Yields the changed records of a page. */
export async function* recordChanges(
  state: RunState,
  page: Page,
): AsyncGenerator<Change, AfterPage, undefined> {
  const { source, run } = state;
  const { stream, work } = page;
  if (stream.object === null) return { children: [], next: {}, isOver: false };
  const { records, removedKeys, children, endedThreads } = await readPage(state, page);
  const hasGap = work.hasGap === true || records.length + removedKeys.length < page.items.length;
  const { since } = listingScope(source, stream, work, run);
  const window = work.since === undefined ? null : windowScope(page, records, !hasGap, since);
  const complete = hasGap ? undefined : (window?.scope ?? (await threadScope(state, page)));
  const reported = unique([...(work.carried ?? []), ...records]);
  const path = objectPath(state, stream.object, work);
  if (reported.length + removedKeys.length > 0 || complete !== undefined) {
    yield {
      path,
      records: reported,
      removedKeys,
      ...(complete === undefined ? {} : { complete }),
    };
  }
  for (const thread of endedThreads)
    yield { path, records: [], removedKeys: [], complete: { thread } };
  // A page of a window is complete by itself. The pages of a thread are complete together.
  const gap = hasGap && window === null ? { hasGap } : {};
  return {
    children,
    next: { ...gap, ...(window?.edge === undefined ? {} : { edge: window.edge }) },
    isOver: window?.isOver === true,
  };
}

async function readPage(state: RunState, page: Page): Promise<PageRecords> {
  const { source, run } = state;
  const { stream, work } = page;
  const records: SourceRecord[] = [];
  const removedKeys: RecordKey[] = [];
  const children: Work[] = [];
  const endedThreads: string[] = [];
  const names = stream.children.filter((name) => isNeeded(source, name));
  for (const item of page.items) {
    if (await isGoneItem(state, page, item)) {
      const key = await removedKey(state, page, item);
      if (key !== undefined) removedKeys.push(key);
      endedThreads.push(...(await endedThread(state, page, item)));
      for (const child of await goneChildWorks(source, page, item, names, work.since, run))
        children.push({ ...child, ...slotOf(work) });
      continue;
    }
    const found = await recordsOf(source, page, item, run);
    records.push(...found);
    for (const child of await childWorks(source, page, item, names, work.since, run))
      children.push(carry(source, { ...child, ...slotOf(work) }, stream, found));
  }
  return { records, removedKeys, children, endedThreads };
}

/** Returns the thread that a deleted item ends, if the stream states it. */
async function endedThread(
  { source, run }: RunState,
  { stream, work }: Page,
  item: unknown,
): Promise<readonly string[]> {
  const { endsThread } = stream.description;
  if (endsThread === undefined || work.isGone === true) return [];
  const scope = itemScope(listingScope(source, stream, work, run), item);
  const thread = textOf(await evaluate(endsThread, item, scope));
  return thread === undefined ? [] : [thread];
}

function removedKey(
  { source, run }: RunState,
  { stream, work }: Page,
  item: unknown,
): Promise<RecordKey | undefined> {
  const own = work.isGone === true ? stream.description.gone?.key : undefined;
  const what = { kind: stream.name, item: describeItem(stream.name, item) };
  return source.attempt(what, run, async () => keyOf(stream, item, own));
}

/** A child that completes a thread reports the thread's first message again, because it is in the same scope. */
function carry(
  source: HttpSource,
  child: Work,
  parent: PlannedStream,
  found: readonly SourceRecord[],
): Work {
  const { object, description } = plannedStream(source, child.stream);
  const isCarried = description.complete !== undefined && object === parent.object;
  return isCarried && description.sameAs !== parent.name ? { ...child, carried: found } : child;
}

/** Returns the thread of which the last page of a listing has reported everything. */
async function threadScope(
  { source, run }: RunState,
  { stream, work, next, skipped }: Page,
): Promise<CompleteScope | undefined> {
  const { complete, for: parent } = stream.description;
  if (complete === undefined || skipped !== null || next !== null) return undefined;
  if (work.isGone === true || parent === undefined) return undefined;
  const scope = listingScope(source, stream, work, run);
  const thread = textOf(await evaluate(complete.thread, work.parents[parent], scope));
  return thread === undefined ? undefined : { thread };
}

/** Keeps the last of equal keys. */
function unique(records: readonly SourceRecord[]): readonly SourceRecord[] {
  return [...new Map(records.map((record) => [locatorKey(record.key), record])).values()];
}
