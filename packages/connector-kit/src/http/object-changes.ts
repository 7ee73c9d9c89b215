import type { Change } from '@trove/core';

import { childWorks, goneChildWorks } from './children.js';
import { countingWorks } from './count-records.js';
import { slotKey } from './cursor.js';
import { textOf } from './json.js';
import { distinct, entriesOf, type Located } from './list.js';
import { itemScope, listingScope, plannedStream, type Page } from './pages.js';
import { isGoneItem, isIncremental, isNeeded, slotOf, type RunState } from './run-state.js';
import type { HttpSource } from './source.js';
import { evaluate } from './template.js';
import type { Work } from './work.js';

/** Yields new and moved objects and the documents of a page. Returns the listings of their children. */
export async function* objectChanges(
  state: RunState,
  page: Page,
): AsyncGenerator<Change, readonly Work[], undefined> {
  const children: Work[] = [];
  if (page.stream.object !== null) return children;
  for (const item of page.items) {
    const placed = yield* placeItem(state, page, item);
    const isGone = await isGoneItem(state, page, item);
    if (isGone) yield* removedDocument(state, page, item);
    const { source, run } = state;
    const { name: parent, children: streams } = page.stream;
    const isNew = placed?.isNew === true;
    const names = streams.filter(
      (name) => isNeeded(source, name) && !(isNew && belongsTo(source, name, parent)),
    );
    const since = placed?.since ?? page.work.since;
    const own = placed === null ? slotOf(page.work) : { slot: placed.slot };
    const works = isGone
      ? await goneChildWorks(source, page, item, names, since, run)
      : await childWorks(source, page, item, names, since, run);
    const counts = placed === null || isNew || isGone ? [] : countingWorks(state, page, item);
    for (const work of [...counts, ...works]) children.push({ ...work, ...own });
  }
  return children;
}

/** Whether a stream has records of the objects that `parent` lists. The engine reads new ones as a whole. */
function belongsTo(source: HttpSource, name: string, parent: string): boolean {
  const { object, children } = plannedStream(source, name);
  if (object !== null) return object.description.for === parent;
  return children.every((child) => belongsTo(source, child, parent));
}

/** The slot of an item in the cursor. */
interface Placed {
  readonly slot: string;
  readonly isNew: boolean;
  /** The cursor of its children, if it differs from that of the run. */
  readonly since: number | undefined;
}

/** Yields the entries of an item, if they are new, moved or read as a whole. Returns null if it has none. */
async function* placeItem(
  state: RunState,
  page: Page,
  item: unknown,
): AsyncGenerator<Change, Placed | null, undefined> {
  const { source, cursor, draft, run } = state;
  const { name, description } = page.stream;
  let placed: Placed | null = null;
  for (const found of await entriesOf(source, page, item, run)) {
    const slot = slotKey(name, found.entry);
    const known = cursor.slots[slot];
    const isRepeated = draft.has(slot) && description.incremental === undefined;
    placed = { slot, isNew: known === undefined && cursor.isFull !== true, since: known?.[1] };
    if (!isRepeated) yield* placeEntry(state, found, placed, known?.[0]);
  }
  return placed;
}

function* placeEntry(
  { source, draft, remember }: RunState,
  found: Located,
  { slot, isNew }: Placed,
  before: string | undefined,
): Generator<Change, void, undefined> {
  const located = distinct(found, (path) => draft.isTaken(path, slot));
  const { entry, object } = located;
  remember(located);
  draft.addSlot(slot, entry.path);
  const isMoved = before !== undefined && before !== entry.path;
  const isReread = object === null || !isIncremental(source, object);
  if (isNew || isMoved || isReread) yield { entry };
  if (isMoved) yield { removed: before };
}

/** Yields the removal of a document that is listed as gone. */
async function* removedDocument(
  { source, draft, run }: RunState,
  { stream, work }: Page,
  item: unknown,
): AsyncGenerator<Change, void, undefined> {
  const { document } = stream.description;
  if (document?.identity === undefined) return;
  const scope = itemScope(listingScope(source, stream, work, run), item);
  const identity = textOf(await evaluate(document.identity, item, scope));
  if (identity === undefined) return;
  const slot = slotKey(stream.name, { identity, path: '' });
  const path = draft.pathOf(slot);
  draft.removeSlot(slot);
  if (path !== undefined) yield { removed: path };
}

/** Yields the removals of objects that complete listings do not have any more. Keeps the objects of incomplete listings. */
export function* removals({ source, cursor, draft }: RunState): Generator<Change, void, undefined> {
  if (!draft.isComplete) return;
  const lineOf = (name: string): readonly string[] => [
    ...plannedStream(source, name).ancestors,
    name,
  ];
  const isListedInFull = (name: string): boolean =>
    plannedStream(source, name).description.incremental === undefined;
  const names = [...source.plan.entryStreams].filter((name) => lineOf(name).every(isListedInFull));
  const held = new Set(names.filter((name) => lineOf(name).some((each) => draft.isHeld(each))));
  const complete = new Set(names.filter((name) => !held.has(name)));
  for (const [slot, [path, since]] of Object.entries(cursor.slots)) {
    const stream = slot.slice(0, slot.indexOf('/'));
    if (draft.has(slot)) continue;
    if (complete.has(stream)) yield { removed: path };
    if (held.has(stream)) draft.addSlot(slot, path, since);
  }
}
