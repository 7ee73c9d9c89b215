import type { Change } from '@trove/core';

import { workOf } from './children.js';
import { slotKey, type Cursor, type CursorDraft } from './cursor.js';
import { pathOf } from './entries.js';
import { changedItem, type FeedChange, type FeedPart } from './feed.js';
import { loadFolders } from './load-folders.js';
import { distinct, entriesOf } from './list.js';
import { plannedStream } from './pages.js';
import { keyPaths, type PlannedStream } from './plan.js';
import { keyOf } from './records.js';
import { recordsOf } from './read-records.js';
import type { RunState } from './run-state.js';
import type { HttpSource, Run } from './source.js';

/**
 * Whether the changes cannot be applied one by one, so that everything must be listed again: a folder with documents has
 * moved, or a deleted document has no known path.
 */
export async function mustRelist(
  source: HttpSource,
  { stream: name, changes }: FeedPart,
  cursor: Cursor,
  run: Run,
): Promise<boolean> {
  const { document } = plannedStream(source, name).description;
  if (document === undefined) return false;
  const isComplete = cursor.isFull !== true && cursor.isPartial !== true;
  const isKnown = ({ id }: FeedChange): boolean => Object.hasOwn(cursor.slots, `${name}/${id}`);
  if (!isComplete && changes.some((change) => change.isGone && !isKnown(change))) return true;
  const { tree } = document;
  if (tree === undefined || changes.every(({ isFolder, isGone }) => !isFolder && !isGone))
    return false;
  const folders = await loadFolders(source, tree, run);
  const paths = new Map(folders.paths());
  const prefix = `${tree.folders}/`;
  return Object.entries(cursor.slots).some(
    ([slot, [path]]) => slot.startsWith(prefix) && paths.get(slot.slice(prefix.length)) !== path,
  );
}

/** Yields the changes of a feed, and keeps their paths and the token in the draft. */
export async function* feedChanges(
  state: RunState,
  { stream: name, changes, token }: FeedPart,
): AsyncGenerator<Change, void, undefined> {
  const { source, draft, run } = state;
  const stream = plannedStream(source, name);
  for (const change of changes) {
    if (change.isFolder) continue;
    const item = await changedItem(source, name, change, run);
    yield* stream.object === null
      ? documentChanges(state, stream, change, item)
      : recordChanges(source, stream, change, item, run);
  }
  await keepFolders(source, stream, draft, run, changes);
  draft.setToken(name, token);
}

/** Yields the entry of a changed document, and the removal of its former path. */
async function* documentChanges(
  { source, draft, run, remember }: RunState,
  stream: PlannedStream,
  { id }: FeedChange,
  item: unknown,
): AsyncGenerator<Change, void, undefined> {
  const slot = slotKey(stream.name, { identity: id, path: '' });
  const before = draft.pathOf(slot);
  const page = { stream, work: workOf(stream.name, {}, undefined) };
  const found = item === undefined ? [] : await entriesOf(source, page, item, run);
  for (const each of found) {
    const located = distinct(each, (path) => draft.isTaken(path, slot));
    const { entry } = located;
    remember(located);
    draft.addSlot(slot, entry.path);
    yield { entry };
  }
  const after = found.length === 0 ? undefined : draft.pathOf(slot);
  if (found.length === 0) draft.removeSlot(slot);
  if (before !== undefined && before !== after) yield { removed: before };
}

async function* recordChanges(
  source: HttpSource,
  stream: PlannedStream,
  { rawId }: FeedChange,
  item: unknown,
  run: Run,
): AsyncGenerator<Change, void, undefined> {
  const { object } = stream;
  if (object === null) return;
  const path = pathOf(object.description.path, source.scope(run));
  if (item === undefined) {
    yield { path, records: [], removedKeys: [keyOf(stream, keyItem(stream, rawId))] };
    return;
  }
  const page = { stream, work: workOf(stream.name, {}, undefined) };
  const records = await recordsOf(source, page, item, run);
  if (records.length > 0) yield { path, records, removedKeys: [] };
}

/** Returns an item that has nothing but the id in a change as its key. */
function keyItem({ description }: PlannedStream, id: unknown): unknown {
  return keyPaths(description.key).reduce<unknown>(
    (item, [, path]) => ({ ...Object(item), ...Object(nest(path.split('.'), id)) }),
    {},
  );
}

function nest(names: readonly string[], value: unknown): unknown {
  return names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

/** Keeps the paths of new folders. */
async function keepFolders(
  source: HttpSource,
  { description }: PlannedStream,
  draft: CursorDraft,
  run: Run,
  changes: readonly FeedChange[],
): Promise<void> {
  const tree = description.document?.tree;
  if (tree === undefined || !changes.some(({ isFolder }) => isFolder)) return;
  for (const [id, path] of (await loadFolders(source, tree, run)).paths())
    draft.addSlot(slotKey(tree.folders, { identity: id, path }), path);
}
