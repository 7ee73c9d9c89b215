import { locatorKey, type Change } from '@trove/core';

import { childWorks, parentsOf } from './children.js';
import type { Cursor } from './cursor.js';
import { describeItem } from './entries.js';
import { isTruthy, textOf } from './json.js';
import { itemScope, listingScope, plannedStream, type Page } from './pages.js';
import type { PlannedObject } from './plan.js';
import { objectRoots } from './read-records.js';
import { keyOf } from './records.js';
import { isGoneItem, isIncremental, objectPath, slotOf, type RunState } from './run-state.js';
import { evaluate } from './template.js';
import { durationMs } from './times.js';
import type { Work } from './work.js';

/** Returns the listings of the objects whose records are to be counted in this run, except those of objects `for` a stream. */
export function countingRoots({ source, cursor, draft, run }: RunState): readonly Work[] {
  return source.plan.objects.flatMap((object) => {
    const { name, description } = object;
    if (description.countEvery === undefined || !isIncremental(source, name)) return [];
    const isDue = isCountDue(object, cursor, run.start);
    draft.setCounted(name, isDue ? run.start : (cursor.counted[name] ?? 0));
    const roots = isDue && description.for === undefined ? objectRoots(source, object, {}) : [];
    return roots.map((work) => ({ ...work, counts: name }));
  });
}

/** Returns the listings that count the records of the known objects that an item stands for, if they are due. */
export function countingWorks(
  { source, cursor, run }: RunState,
  page: Page,
  item: unknown,
): readonly Work[] {
  const due = source.plan.objects.filter(
    (object) =>
      object.description.for === page.stream.name &&
      isIncremental(source, object.name) &&
      isCountDue(object, cursor, run.start),
  );
  return due.flatMap((object) =>
    objectRoots(source, object, parentsOf(page, item)).map((work) => ({
      ...work,
      counts: object.name,
    })),
  );
}

/** Whether the run that starts at a time counts the records of an object. */
export function isCountDue(
  { name, description: { countEvery } }: PlannedObject,
  { counted }: Cursor,
  start: number,
): boolean {
  return countEvery !== undefined && start - (counted[name] ?? 0) >= durationMs(countEvery);
}

/** Adds the records of a page to the count of their object. Returns the listings of their children. */
export async function countPage(
  state: RunState,
  page: Page,
  name: string,
): Promise<readonly Work[]> {
  const { source, draft, run } = state;
  const { stream, skipped, work } = page;
  const object = source.plan.objects.find((each) => each.name === name);
  if (object === undefined) return [];
  const path = objectPath(state, object, work);
  if (skipped === null) draft.addCount(path, 0);
  else draft.dropCount(path);
  const listed: Work[] = [];
  const children = stream.children.filter((each) => object.closure.has(each));
  const isStated = (child: string): boolean =>
    plannedStream(source, child).description.count !== undefined;
  for (const item of page.items) {
    const isGone = await isGoneItem(state, page, item);
    if (stream.object === object && !isGone) {
      const what = { kind: stream.name, item: describeItem(stream.name, item) };
      const key = await source.attempt(what, run, async () => locatorKey(keyOf(stream, item)));
      if (key !== undefined && state.counted.add(`${path} ${key}`)) {
        draft.addCount(path, 1);
        for (const child of children.filter(isStated))
          draft.addCount(path, await statedCount(state, page, item, child));
      }
    }
    const names = children.filter((child) => !isStated(child));
    for (const child of await childWorks(source, page, item, names, undefined, run))
      listed.push({ ...child, ...slotOf(work), counts: name });
  }
  if (run.faults.take() !== undefined) draft.dropCount(path);
  return listed;
}

/** Returns the number of children that an item states. NaN, which drops the count, if it states none. */
async function statedCount(
  { source, run }: RunState,
  { stream, work }: Page,
  item: unknown,
  child: string,
): Promise<number> {
  const { count, when } = plannedStream(source, child).description;
  const scope = itemScope(listingScope(source, stream, work, run), item);
  if (when !== undefined && !isTruthy(await evaluate(when, item, scope))) return 0;
  const stated = count === undefined ? undefined : await evaluate(count, item, scope);
  return Number(textOf(stated) ?? Number.NaN);
}

/** Yields the counted numbers of records. They follow all other changes. */
export function* totals({ draft }: RunState): Generator<Change, void, undefined> {
  for (const [path, total] of draft.counts()) yield { path, records: [], removedKeys: [], total };
}
