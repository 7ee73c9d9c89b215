import { locatorKey, type Change } from '@trove/core';

import { childWorks } from './children.js';
import type { Cursor } from './cursor.js';
import { describeItem, pathOf } from './entries.js';
import type { Page } from './pages.js';
import type { PlannedObject } from './plan.js';
import { objectRoots } from './read-records.js';
import { keyOf } from './records.js';
import { isGoneItem, isIncremental, type RunState } from './run-state.js';
import { durationMs } from './times.js';
import type { Work } from './work.js';

/** Returns the listings of the objects whose records are to be counted in this run. */
export function countingRoots({ source, cursor, draft, run }: RunState): readonly Work[] {
  return source.plan.objects.flatMap((object) => {
    const { name, description } = object;
    if (description.countEvery === undefined || !isIncremental(source, name)) return [];
    const isDue = isCountDue(object, cursor, run.start);
    draft.setCounted(name, isDue ? run.start : (cursor.counted[name] ?? 0));
    const roots = isDue ? objectRoots(source, object, {}) : [];
    return roots.map((work) => ({ ...work, counts: name }));
  });
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
  const { stream, skipped } = page;
  const object = source.plan.objects.find((each) => each.name === name);
  if (object === undefined) return [];
  const children: Work[] = [];
  const names = stream.children.filter((each) => object.closure.has(each));
  for (const item of page.items) {
    if (stream.object === object && !(await isGoneItem(state, page, item))) {
      const what = { kind: stream.name, item: describeItem(stream.name, item) };
      const key = await source.attempt(what, run, async () => locatorKey(keyOf(stream, item)));
      if (key !== undefined && state.counted.add(`${name} ${key}`)) draft.addCount(name, 1);
    }
    const works = await childWorks(source, page, item, names, undefined, run);
    children.push(...works.map((work) => ({ ...work, counts: name })));
  }
  if (skipped !== null || run.faults.take() !== undefined) draft.dropCount(name);
  return children;
}

/** Yields the counted numbers of records. They follow all other changes. */
export function* totals({ source, draft, run }: RunState): Generator<Change, void, undefined> {
  for (const [name, total] of draft.counts()) {
    const object = source.plan.objects.find((each) => each.name === name);
    if (object === undefined) continue;
    const path = pathOf(object.description.path, source.scope(run));
    yield { path, records: [], removedKeys: [], total };
  }
}
