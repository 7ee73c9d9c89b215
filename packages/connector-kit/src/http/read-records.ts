import {
  locatorKey,
  TroveError,
  type Checkpoint,
  type RecordKey,
  type RecordsOptions,
  type SourceRecord,
} from '@trove/core';

import { checkpointsOf, readCheckpoint } from './checkpoints.js';
import { childWorks, continueStack, workOf } from './children.js';
import { describeItem } from './entries.js';
import { isTruthy, pick } from './json.js';
import { itemScope, listingScope, plannedStream, requestPage, type Page } from './pages.js';
import type { PlannedObject, PlannedStream } from './plan.js';
import { requestItem } from './one.js';
import { RecentKeys } from './recent-keys.js';
import { keyOf, toRecord } from './records.js';
import type { HttpSource, Run } from './source.js';
import { evaluate } from './template.js';
import type { Work } from './work.js';

/** An object of records whose parents are known. */
export interface LocatedObject {
  readonly object: PlannedObject;
  readonly parents: Readonly<Record<string, unknown>>;
}

/** Yields the records of an object as requested. */
export async function* readRecords(
  source: HttpSource,
  located: LocatedObject,
  options: RecordsOptions,
  run: Run,
): AsyncGenerator<SourceRecord | Checkpoint, void, undefined> {
  const { key, thread, offset = 0, limit = Infinity, resume } = options;
  if (key !== undefined) return yield* oneRecord(source, located, key, run);
  if (thread !== undefined) return yield* threadRecords(source, located, thread, run);
  if (limit <= 0) return;
  let skipped = 0;
  let yielded = 0;
  for await (const item of allRecords(source, located, run, options.keysOnly === true, resume)) {
    if ('checkpoint' in item) {
      if (offset === 0 && limit === Infinity) yield item;
      continue;
    }
    if (skipped++ < offset) continue;
    yield item;
    if (++yielded >= limit) return;
  }
}

/** Yields all records of an object, with a checkpoint after each page. */
async function* allRecords(
  source: HttpSource,
  { object, parents }: LocatedObject,
  run: Run,
  keysOnly: boolean,
  resume?: unknown,
): AsyncGenerator<SourceRecord | Checkpoint, void, undefined> {
  const position = readCheckpoint(resume);
  const stack: Work[] = [...(position?.stack ?? objectRoots(source, object, parents))];
  const own: Run = {
    ...run,
    start: position?.start ?? run.start,
    partOf: (stream) => (keysOnly ? stream.description.keysOnly : undefined),
  };
  const seen = new RecentKeys();
  let gap = position?.gap;
  let isEmpty = position === null;
  let refusal: string | null = null;
  for (let work = stack.pop(); work !== undefined; work = stack.pop()) {
    const page = await requestPage(source, work, own);
    if (page.skipped !== null) gap ??= gapOf(object, page);
    refusal ??= page.skipped;
    const children: Work[] = [];
    const names = page.stream.children.filter((name) => object.closure.has(name));
    for (const item of page.items) {
      if (page.stream.object === object)
        for (const record of await recordsOf(source, page, item, own, keysOnly))
          if (seen.add(locatorKey(record.key))) {
            isEmpty = false;
            yield record;
          }
      children.push(...(await childWorks(source, page, item, names, undefined, own)));
    }
    gap ??= run.faults.take();
    continueStack(stack, page, children);
    const missing = gap === undefined ? {} : { gap };
    if (stack.length > 0) yield* checkpointsOf({ start: own.start, stack, ...missing });
  }
  if (isEmpty && refusal !== null)
    throw new TroveError('connector_unhealthy', refusal, { suggestions: [] });
  if (gap !== undefined) throw new TroveError('listing_incomplete', gap);
}

/** Returns the record of an item, or none if it is gone or cannot be made, which `run.faults` then notes. */
export async function recordsOf(
  source: HttpSource,
  page: Pick<Page, 'stream' | 'work'>,
  item: unknown,
  run: Run,
  keysOnly = false,
): Promise<readonly SourceRecord[]> {
  const { stream, work } = page;
  const { isGone } = stream.description;
  const scope = itemScope(listingScope(source, stream, work, run), item);
  const what = { kind: stream.name, item: describeItem(stream.name, item) };
  const record = await source.attempt(what, run, async () => {
    if (isGone !== undefined && isTruthy(await evaluate(isGone, item, scope))) return null;
    return keysOnly ? { key: keyOf(stream, item), fields: {} } : toRecord(stream, item, scope);
  });
  return record === null || record === undefined ? [] : [record];
}

/**
 * Returns the reason why the records of an object are incomplete, because absent ones would count as deleted. The children of
 * one parent are left out without it. Throws if nothing is left: a refused stream that the object cannot do without.
 */
function gapOf(object: PlannedObject, { stream, skipped, isCut }: Page): string | undefined {
  if (skipped === null) return undefined;
  const { for: parent } = stream.description;
  if (!isCut && parent !== undefined && object.closure.has(parent)) return undefined;
  const isWhole = object.streams.length === 1 || stream.object !== object;
  if (isWhole && !isCut) throw new TroveError('connector_unhealthy', skipped, { suggestions: [] });
  return skipped;
}

/** Returns the listings that all records of an object begin with. */
export function objectRoots(
  source: HttpSource,
  object: PlannedObject,
  parents: Readonly<Record<string, unknown>>,
): readonly Work[] {
  const roots = [...object.closure].filter((name) => {
    const parent = plannedStream(source, name).description.for;
    return parent === undefined || !object.closure.has(parent);
  });
  return roots.toReversed().map((name) => workOf(name, parents, undefined));
}

async function* oneRecord(
  source: HttpSource,
  located: LocatedObject,
  key: RecordKey,
  run: Run,
): AsyncGenerator<SourceRecord, void, undefined> {
  const wanted = locatorKey(key);
  const stream = streamOf(source, located.object, key);
  const one = stream?.description.one;
  if (stream === null || stream === undefined) return;
  if (one === undefined) {
    for await (const record of allRecords(source, located, run, false)) {
      if ('checkpoint' in record || locatorKey(record.key) !== wanted) continue;
      yield record;
      return;
    }
    return;
  }
  const item = await requestItem(source, stream.name, { key }, run, located.parents);
  if (item === undefined) return;
  const work = workOf(stream.name, located.parents, undefined);
  const found = await recordsOf(source, { stream, work }, item, run);
  assertUsable(run);
  for (const record of found) if (locatorKey(record.key) === wanted) yield record;
}

/** Returns the stream that has a key. Null if none can have it. */
function streamOf(source: HttpSource, object: PlannedObject, key: RecordKey): PlannedStream | null {
  const streams = object.streams.map((name) => plannedStream(source, name));
  const own = streams.filter(({ keyStream }) => keyStream === null || keyStream === key['stream']);
  return own.find(({ description }) => description.one !== undefined) ?? own[0] ?? null;
}

async function* threadRecords(
  source: HttpSource,
  located: LocatedObject,
  thread: string,
  run: Run,
): AsyncGenerator<SourceRecord, void, undefined> {
  const streams = located.object.streams.map((name) => plannedStream(source, name));
  const asked = streams.filter(({ description }) => description.ofThread !== undefined);
  const records =
    asked.length === 0
      ? allRecords(source, located, run, false)
      : recordsOfThread(source, located, asked, { ...run, values: { ...run.values, thread } });
  for await (const record of records)
    if (!('checkpoint' in record) && record.thread === thread) yield record;
}

/**
 * Yields the records of a thread. Throws `listing_incomplete` at the end if the service refused a part, because absent records
 * would count as deleted.
 */
async function* recordsOfThread(
  source: HttpSource,
  { parents }: LocatedObject,
  streams: readonly PlannedStream[],
  run: Run,
): AsyncGenerator<SourceRecord, void, undefined> {
  const own: Run = { ...run, partOf: ({ description }) => description.ofThread, isPart: true };
  const seen = new RecentKeys();
  const pages = new Map<string, Page[]>();
  let gap: string | null = null;
  for (const stream of streams) {
    if (!(await hasParent(source, stream, pages, own))) continue;
    const read: Page[] = [];
    pages.set(stream.name, read);
    const known = { ...parents, ...parentIn(source, stream, pages) };
    for (let work: Work | null = workOf(stream.name, known, undefined); work !== null;) {
      const page: Page = await requestPage(source, work, own);
      read.push(page);
      gap ??= page.skipped;
      for (const item of page.items)
        for (const record of await recordsOf(source, page, item, own))
          if (seen.add(locatorKey(record.key))) yield record;
      assertUsable(run);
      work = page.next;
    }
  }
  if (gap !== null) throw new TroveError('listing_incomplete', gap);
}

/** Throws if requested items cannot be used, because absent ones would count as deleted. */
function assertUsable({ faults }: Run): void {
  const fault = faults.take();
  if (fault !== undefined) throw new TroveError('listing_incomplete', fault);
}

/** Returns the parent of a stream, if the thread has shown one. */
function parentIn(
  source: HttpSource,
  { description }: PlannedStream,
  pages: ReadonlyMap<string, readonly Page[]>,
): Readonly<Record<string, unknown>> {
  const { for: parent = '' } = description;
  const [item, ...others] = (pages.get(parent) ?? []).flatMap((page) => page.items);
  if (item === undefined || others.length > 0) return {};
  const { keep } = plannedStream(source, parent).description;
  return { [parent]: keep === undefined ? item : pick(item, keep) };
}

/** Whether a stream is listed for one of its parents in a thread. True if the thread does not show its parents. */
async function hasParent(
  source: HttpSource,
  { description }: PlannedStream,
  pages: ReadonlyMap<string, readonly Page[]>,
  run: Run,
): Promise<boolean> {
  const { for: parent = '', when } = description;
  const known = pages.get(parent);
  if (when === undefined || known === undefined) return true;
  for (const page of known) {
    const scope = listingScope(source, page.stream, page.work, run);
    for (const item of page.items)
      if (isTruthy(await evaluate(when, item, itemScope(scope, item)))) return true;
  }
  return false;
}
