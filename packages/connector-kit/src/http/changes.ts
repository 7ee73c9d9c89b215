import {
  locatorKey,
  type Change,
  type ChangesRequest,
  type CompleteScope,
  type RecordKey,
  type SourceRecord,
} from '@trove/core';

import { checkpointsOf, readCheckpoint } from './checkpoints.js';
import { childWorks, continueStack, workOf } from './children.js';
import { CursorDraft, readCursor, slotKey, type Cursor } from './cursor.js';
import { describeItem, pathOf } from './entries.js';
import { isTruthy, textOf } from './json.js';
import { entriesOf, listEntries, staticEntries, type Located } from './list.js';
import { itemScope, listingScope, plannedStream, requestPage, type Page } from './pages.js';
import type { PlannedObject, PlannedStream } from './plan.js';
import { keyOf } from './records.js';
import { recordsOf } from './read-records.js';
import type { HttpSource, Run } from './source.js';
import { evaluate } from './template.js';
import type { Work } from './work.js';

/** Yields what changed since the cursor of the request. Without a cursor, yields all objects. */
export async function* listChanges(
  source: HttpSource,
  run: Run,
  { cursor, commit, resume }: Pick<ChangesRequest, 'cursor' | 'commit' | 'resume'>,
): AsyncGenerator<Change, void, undefined> {
  const known = readCursor(cursor);
  const position = readCheckpoint(resume);
  if (cursor !== undefined && known === null && position === null) yield { reset: true };
  if (known !== null) return yield* new IncrementalRun(source, run, known, commit).changes(resume);
  const draft = new CursorDraft(position?.found);
  for await (const item of listEntries(source, run, resume, () => draft.parts())) {
    if ('checkpoint' in item) yield item;
    else {
      remember(draft, item);
      yield { entry: item.entry };
    }
  }
  commit(draft.finish(position?.start ?? run.start));
}

function remember(draft: CursorDraft, { entry, stream }: Located): void {
  if (stream !== null) draft.addSlot(slotKey(stream, entry), entry.path);
}

/** A run that continues from a cursor. */
class IncrementalRun {
  readonly #source: HttpSource;
  readonly #run: Run;
  readonly #cursor: Cursor;
  readonly #commit: (cursor: unknown) => void;
  #draft = new CursorDraft();
  /** Streams whose missing objects are not deleted, because their listing is not complete. */
  readonly #partial = new Set<string>();

  constructor(source: HttpSource, run: Run, cursor: Cursor, commit: (cursor: unknown) => void) {
    this.#source = source;
    this.#run = run;
    this.#cursor = cursor;
    this.#commit = commit;
  }

  async *changes(resume: unknown): AsyncGenerator<Change, void, undefined> {
    const position = readCheckpoint(resume);
    const run = { ...this.#run, start: position?.start ?? this.#run.start };
    this.#draft = new CursorDraft(position?.found);
    if (position === null) yield* this.#rereadObjects(run);
    const stack: Work[] = [...(position?.stack ?? this.#roots())];
    for (let work = stack.pop(); work !== undefined; work = stack.pop()) {
      const page = await requestPage(this.#source, work, run);
      this.#note(page);
      const children: Work[] = [];
      yield* this.#objectChanges(page, children, run);
      yield* this.#recordChanges(page, children, run);
      continueStack(stack, page, children);
      if (this.#mayPause(page))
        yield* checkpointsOf({ start: run.start, stack, found: this.#draft.parts() });
    }
    yield* this.#removals();
    this.#commit(this.#draft.finish(run.start));
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
      this.#partial.add(stream.name);
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
    if (stream.object !== null || work.isGone === true) return;
    for (const item of page.items) {
      let since = work.since;
      let slot: string | undefined;
      let isNew = false;
      for (const located of await entriesOf(this.#source, page, item, run)) {
        slot = slotKey(stream.name, located.entry);
        const known = this.#cursor.slots[slot];
        if (this.#draft.has(slot)) continue;
        this.#draft.addSlot(slot, located.entry.path);
        isNew = known === undefined && this.#cursor.isFull !== true;
        since = known?.[1] ?? work.since;
        const isMoved = known !== undefined && known[0] !== located.entry.path;
        const isReread = located.object === null || !isIncremental(this.#source, located.object);
        if (isNew || isMoved || isReread) yield { entry: located.entry };
        if (isMoved) yield { removed: known[0] };
      }
      if (isNew) continue;
      const names = stream.children.filter((name) => this.#isNeeded(name));
      const works = await childWorks(this.#source, page, item, names, since, run);
      children.push(...works.map((each) => (slot === undefined ? each : { ...each, slot })));
    }
  }

  /** Yields the changed records of a page, and collects the listings of its children. */
  async *#recordChanges(
    page: Page,
    children: Work[],
    run: Run,
  ): AsyncGenerator<Change, void, undefined> {
    const { stream, work } = page;
    const { object } = stream;
    if (object === null) return;
    const path = this.#pathOf(object, work, run);
    const removedKeys: RecordKey[] = [];
    const records: SourceRecord[] = [...(work.carried ?? [])];
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
        children.push(this.#carry(child, stream, found));
    }
    const complete = await this.#completeScope(page, records, run);
    if (records.length + removedKeys.length === 0 && complete === undefined) return;
    yield {
      path,
      records: unique(records),
      removedKeys,
      ...(complete === undefined ? {} : { complete }),
    };
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

  async #completeScope(
    { stream, work, next, skipped }: Page,
    records: readonly SourceRecord[],
    run: Run,
  ): Promise<CompleteScope | undefined> {
    const { complete } = stream.description;
    if (skipped !== null || next !== null || work.isGone === true) return undefined;
    if (complete === undefined) return undefined;
    const parent = stream.description.for;
    const item = parent === undefined ? undefined : work.parents[parent];
    const scope = listingScope(this.#source, stream, work, run);
    const thread = textOf(await evaluate(complete.thread, item, scope)) ?? records[0]?.thread;
    return thread === undefined ? undefined : { thread };
  }

  /** Records of a complete thread must not be separated from its scope by a checkpoint. */
  #mayPause({ stream, next }: Page): boolean {
    return stream.description.complete === undefined || next === null;
  }

  /** Yields the objects of complete listings that were not in them. */
  *#removals(): Generator<Change, void, undefined> {
    if (this.#draft.isFull) return;
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
      return incremental === undefined && !this.#partial.has(each);
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
