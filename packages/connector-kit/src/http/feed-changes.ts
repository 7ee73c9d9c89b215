import type { Change } from '@trove/core';

import { workOf } from './children.js';
import { slotKey, type Cursor, type CursorDraft } from './cursor.js';
import type { TreeDescription } from './description/index.js';
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
import { evaluate } from './template.js';
import { timeOf } from './times.js';

/** How much the clocks of the service and of this machine may differ. */
const clockSkewMs = 600_000;

/**
 * Whether the changes cannot be applied one by one, so that everything must be listed again: a folder with documents has
 * moved or is back, or a deleted document has no known path.
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
  for (const change of changes) {
    if (!change.isFolder || change.isGone || !paths.has(change.id)) continue;
    if (Object.hasOwn(cursor.slots, `${prefix}${change.id}`)) continue;
    if (!(await isNewFolder(source, tree, change, cursor, run))) return true;
  }
  return Object.entries(cursor.slots).some(
    ([slot, [path]]) => slot.startsWith(prefix) && paths.get(slot.slice(prefix.length)) !== path,
  );
}

/**
 * Whether a folder was created after the last run. An older one was restored, moved or shared, and the feed may not report
 * what is below it.
 */
async function isNewFolder(
  source: HttpSource,
  { createdAt }: TreeDescription,
  { item }: FeedChange,
  { start }: Cursor,
  run: Run,
): Promise<boolean> {
  if (createdAt === undefined) return false;
  const created = timeOf(await evaluate(createdAt, item, source.scope(run)));
  return created !== undefined && created > start + clockSkewMs;
}

/** Yields the changes of a feed, and keeps their paths and the token in the draft. */
export async function* feedChanges(
  state: RunState,
  { stream: name, changes, token }: FeedPart,
): AsyncGenerator<Change, void, undefined> {
  const { source, cursor, draft, run } = state;
  const stream = plannedStream(source, name);
  let isUsable = true;
  for (const change of changes) {
    if (change.isFolder) continue;
    const item = await changedItem(source, name, change, run);
    yield* stream.object === null
      ? documentChanges(state, stream, change, item)
      : recordChanges(source, stream, change, item, run);
    if (run.faults.take() !== undefined) isUsable = false;
  }
  await keepFolders(source, stream, draft, run, changes);
  // The next run reads changes that could not be used again.
  draft.setToken(name, isUsable ? token : cursor.tokens[name]);
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
  if (run.faults.hasAny) return;
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
