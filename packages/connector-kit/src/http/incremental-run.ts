import {
  locatorKey,
  type Change,
  type CompleteScope,
  type RecordKey,
  type SourceRecord,
} from '@trove/core';

import { checkpointsOf, type Position } from './checkpoints.js';
import { childWorks, continueStack, workOf } from './children.js';
import { CursorDraft, slotKey, type Cursor } from './cursor.js';
import { describeItem, pathOf } from './entries.js';
import { feedOf, type FeedPart } from './feed.js';
import { feedChanges } from './feed-changes.js';
import { isTruthy, textOf } from './json.js';
import { distinct, entriesOf, staticEntries, type Located } from './list.js';
import { itemScope, listingScope, plannedStream, requestPage, type Page } from './pages.js';
import type { PlannedObject, PlannedStream } from './plan.js';
import { keyOf } from './records.js';
import { recordsOf } from './read-records.js';
import type { HttpSource, Run } from './source.js';
import { evaluate } from './template.js';
import { windowScope } from './window.js';
import type { Work } from './work.js';

/** A run that continues from a cursor. */
export class IncrementalRun {
  readonly #source: HttpSource;
  readonly #run: Run;
  readonly #cursor: Cursor;
  readonly #feeds: readonly FeedPart[];
  #draft = new CursorDraft();

  /** `feeds`: the changes of all change feeds. */
  constructor(source: HttpSource, run: Run, cursor: Cursor, feeds: readonly FeedPart[]) {
    this.#source = source;
    this.#run = run;
    this.#cursor = cursor;
    this.#feeds = feeds;
  }

  async *changes(
    position: Position | null,
    commit: (cursor: unknown) => void,
  ): AsyncGenerator<Change, void, undefined> {
    const run = { ...this.#run, start: position?.start ?? this.#run.start };
    this.#draft = new CursorDraft(position?.found);
    if (position === null) yield* this.#begin(run);
    const stack: Work[] = [...(position?.stack ?? this.#roots())];
    for (let work = stack.pop(); work !== undefined; work = stack.pop()) {
      const page = await requestPage(this.#source, work, run);
      this.#note(page);
      const children: Work[] = [];
      yield* this.#objectChanges(page, children, run);
      const edge = yield* this.#recordChanges(page, children, run);
      continueStack(stack, withEdge(page, edge), children);
      if (this.#mayPause(page))
        yield* checkpointsOf({ start: run.start, stack, found: this.#draft.parts() });
    }
    yield* this.#removals();
    commit(this.#draft.finish(run.start));
  }

  async *#begin(run: Run): AsyncGenerator<Change, void, undefined> {
    for (const [name, { description }] of this.#source.plan.streams) {
      const { incremental, document } = description;
      if (incremental !== undefined) this.#draft.inherit(this.#cursor, name);
      if (document?.tree !== undefined) this.#draft.inherit(this.#cursor, document.tree.folders);
    }
    for (const feed of this.#feeds) yield* feedChanges(this.#source, feed, this.#draft, run);
    yield* this.#rereadObjects(run);
  }

  /** Yields the entries of objects that must be read again, because a stream of theirs reports no changes. */
  async *#rereadObjects(run: Run): AsyncGenerator<Change, void, undefined> {
    for await (const { entry, object } of staticEntries(this.#source, run))
      if (object !== null && !isIncremental(this.#source, object)) yield { entry };
  }

  #roots(): readonly Work[] {
    const { held, start, tokens } = this.#cursor;
    const works: Work[] = [];
    for (const [name, { ancestors, description }] of this.#source.plan.streams) {
      if (ancestors.length > 0 || !this.#isNeeded(name)) continue;
      if (feedOf(this.#source, name) !== null) continue;
      const work = workOf(name, {}, held[name] ?? start);
      works.push(withToken(work, description, tokens[name]));
      if (description.gone !== undefined) works.push({ ...work, isGone: true });
    }
    return works.toReversed();
  }

  /** Whether an incremental run requests a stream. Objects that are read again need none of their own. */
  #isNeeded(name: string): boolean {
    const { plan } = this.#source;
    const stream = plannedStream(this.#source, name);
    if (plan.entryStreams.has(name)) return true;
    return plan.objects.some(
      (object) => object.closure.has(stream.name) && isIncremental(this.#source, object.name),
    );
  }

  #note(page: Page): void {
    const { work, stream, skipped } = page;
    if (skipped !== null) {
      this.#run.warn(skipped);
      if (work.since !== undefined) this.#draft.hold(this.#holderOf(page), work.since);
    }
    if (page.next === null && page.token !== null) this.#draft.setToken(stream.name, page.token);
  }

  /** Returns the key of the slot that a listing belongs to: that of its object, or of its stream. */
  #holderOf({ stream, work }: Page): string {
    const parent = stream.object?.description.for;
    const identity = parent === undefined ? undefined : work.slot;
    return identity ?? stream.name;
  }

  /** Yields new objects, moved objects and documents, and collects the listings of their children. */
  async *#objectChanges(
    page: Page,
    children: Work[],
    run: Run,
  ): AsyncGenerator<Change, void, undefined> {
    const { stream, work } = page;
    if (stream.object !== null) return;
    for (const item of page.items) {
      let since = work.since;
      let slot: string | undefined;
      let isNew = false;
      for (const found of await entriesOf(this.#source, page, item, run)) {
        slot = slotKey(stream.name, found.entry);
        const known = this.#cursor.slots[slot];
        const isRepeated = this.#draft.has(slot) && stream.description.incremental === undefined;
        if (isRepeated) continue;
        isNew = known === undefined && this.#cursor.isFull !== true;
        since = known?.[1] ?? work.since;
        yield* this.#located(found, slot, known?.[0], isNew);
      }
      if (await this.#isGone(page, item, run)) yield* this.#removedDocument(page, item, run);
      if (isNew) continue;
      const names = stream.children.filter((name) => this.#isNeeded(name));
      const works = await childWorks(this.#source, page, item, names, since, run);
      children.push(
        ...works.map((each) => ({
          ...each,
          ...slotOf({ ...each, ...(slot === undefined ? slotOf(work) : { slot }) }),
        })),
      );
    }
  }

  /** Yields the entry of a new or moved object, of one that is read as a whole, and of a document. */
  *#located(
    found: Located,
    slot: string,
    before: string | undefined,
    isNew: boolean,
  ): Generator<Change, void, undefined> {
    const located = distinct(found, (path) => this.#draft.isTaken(path, slot));
    const { entry, object } = located;
    this.#draft.addSlot(slot, entry.path);
    const isMoved = before !== undefined && before !== entry.path;
    const isReread = object === null || !isIncremental(this.#source, object);
    if (isNew || isMoved || isReread) yield { entry };
    if (isMoved) yield { removed: before };
  }

  /** Yields the removal of a document that is listed as gone. */
  async *#removedDocument(
    { stream, work }: Page,
    item: unknown,
    run: Run,
  ): AsyncGenerator<Change, void, undefined> {
    const { document } = stream.description;
    if (document?.identity === undefined) return;
    const scope = itemScope(listingScope(this.#source, stream, work, run), item);
    const identity = textOf(await evaluate(document.identity, item, scope));
    if (identity === undefined) return;
    const slot = slotKey(stream.name, { identity, path: '' });
    const path = this.#draft.pathOf(slot);
    this.#draft.removeSlot(slot);
    if (path !== undefined) yield { removed: path };
  }

  /** Yields the changed records of a page, and collects the listings of its children. Returns the edge of a window. */
  async *#recordChanges(
    page: Page,
    children: Work[],
    run: Run,
  ): AsyncGenerator<Change, number | undefined, undefined> {
    const { stream, work } = page;
    const { object } = stream;
    if (object === null) return undefined;
    const path = this.#pathOf(object, work, run);
    const { records, removedKeys } = await this.#readPage(page, children, run);
    const scope = listingScope(this.#source, stream, work, run);
    const isWhole = records.length + removedKeys.length === page.items.length;
    const window =
      work.since === undefined ? null : windowScope(page, records, isWhole, scope.since);
    const complete = window?.scope ?? (await this.#threadScope(page, run));
    const reported = unique([...(work.carried ?? []), ...records]);
    if (reported.length + removedKeys.length > 0 || complete !== undefined)
      yield {
        path,
        records: reported,
        removedKeys,
        ...(complete === undefined ? {} : { complete }),
      };
    return window?.edge;
  }

  /** Returns the records and the keys of deleted records of a page. */
  async #readPage(
    page: Page,
    children: Work[],
    run: Run,
  ): Promise<{
    readonly records: readonly SourceRecord[];
    readonly removedKeys: readonly RecordKey[];
  }> {
    const { stream, work } = page;
    const removedKeys: RecordKey[] = [];
    const records: SourceRecord[] = [];
    for (const item of page.items) {
      if (await this.#isGone(page, item, run)) {
        const key = await this.#keyOf(page, item, run);
        if (key !== undefined) removedKeys.push(key);
        continue;
      }
      const found = await recordsOf(this.#source, page, item, run);
      records.push(...found);
      const names = stream.children.filter((name) => this.#isNeeded(name));
      for (const child of await childWorks(this.#source, page, item, names, work.since, run))
        children.push(this.#carry({ ...child, ...slotOf(work) }, stream, found));
    }
    return { records, removedKeys };
  }

  #pathOf(object: PlannedObject, work: Work, run: Run): string {
    const { for: parent, path } = object.description;
    const item = parent === undefined ? undefined : work.parents[parent];
    return pathOf(path, this.#source.scope(run, { parents: work.parents, item }));
  }

  async #isGone({ stream, work }: Page, item: unknown, run: Run): Promise<boolean> {
    const { isGone } = stream.description;
    if (work.isGone === true) return true;
    if (isGone === undefined) return false;
    const scope = itemScope(listingScope(this.#source, stream, work, run), item);
    return isTruthy(await evaluate(isGone, item, scope));
  }

  #keyOf({ stream, work }: Page, item: unknown, run: Run): Promise<RecordKey | undefined> {
    const own = work.isGone === true ? stream.description.gone?.key : undefined;
    return this.#source.attempt(describeItem(stream.name, item), run, () =>
      Promise.resolve().then(() => keyOf(stream, item, own)),
    );
  }

  /** A child that completes a thread reports the thread's first message again, because it is in the same scope. */
  #carry(child: Work, parent: PlannedStream, found: readonly SourceRecord[]): Work {
    const { object, description } = plannedStream(this.#source, child.stream);
    const isCarried = description.complete !== undefined && object === parent.object;
    return isCarried && description.sameAs !== parent.name ? { ...child, carried: found } : child;
  }

  /** Returns the thread of which the last page of a listing has reported everything. */
  async #threadScope(page: Page, run: Run): Promise<CompleteScope | undefined> {
    const { stream, work, next, skipped } = page;
    const { complete, for: parent } = stream.description;
    if (complete === undefined || skipped !== null || next !== null) return undefined;
    if (work.isGone === true || parent === undefined) return undefined;
    const item = work.parents[parent];
    const scope = listingScope(this.#source, stream, work, run);
    const thread = textOf(await evaluate(complete.thread, item, scope));
    return thread === undefined ? undefined : { thread };
  }

  /** Records of a complete scope must not be separated from it by a checkpoint. */
  #mayPause({ stream: { description }, next }: Page): boolean {
    const { complete, incremental } = description;
    const isUnordered = incremental?.by === 'window' && incremental.order === 'none';
    return next === null || (complete === undefined && !isUnordered);
  }

  /** Yields the objects of complete listings that were not in them. */
  *#removals(): Generator<Change, void, undefined> {
    if (!this.#draft.isComplete) return;
    const complete = [...this.#source.plan.entryStreams].filter((name) => this.#isTracked(name));
    for (const [slot, [path]] of Object.entries(this.#cursor.slots)) {
      const stream = slot.slice(0, slot.indexOf('/'));
      if (!this.#draft.has(slot) && complete.includes(stream)) yield { removed: path };
    }
  }

  /** Whether an incremental run lists all items of a stream and of its parents. */
  #isTracked(name: string): boolean {
    const { ancestors } = plannedStream(this.#source, name);
    return [...ancestors, name].every((each) => {
      const { incremental } = plannedStream(this.#source, each).description;
      return incremental === undefined && !this.#draft.isHeld(each);
    });
  }
}

/** Whether all records of an object can be found by changes: its outermost record streams are incremental. */
function isIncremental(source: HttpSource, name: string): boolean {
  const object = source.plan.objects.find((each) => each.name === name);
  if (object === undefined) return false;
  return object.streams.every((each) => {
    const { description, ancestors } = plannedStream(source, each);
    if (description.incremental !== undefined) return true;
    return ancestors.some((parent) => {
      const { object: own, description: outer } = plannedStream(source, parent);
      return own === object && outer.incremental !== undefined;
    });
  });
}

function withEdge(page: Page, edge: number | undefined): Page {
  return page.next === null || edge === undefined
    ? page
    : { ...page, next: { ...page.next, edge } };
}

function slotOf({ slot }: Work): Pick<Work, 'slot'> {
  return slot === undefined ? {} : { slot };
}

function withToken(work: Work, { page }: PlannedStream['description'], token: unknown): Work {
  if (typeof page !== 'object' || page.by !== 'cursor') return work;
  return typeof token === 'string' || typeof token === 'number'
    ? { ...work, page: { values: { [page.send]: token } } }
    : work;
}

/** Keeps the last of equal keys. */
function unique(records: readonly SourceRecord[]): readonly SourceRecord[] {
  return [...new Map(records.map((record) => [locatorKey(record.key), record])).values()];
}
