import { isTroveError, type Change } from '@trove/core';

import { readCheckpoint, type Position } from './checkpoints.js';
import { CursorDraft, readCursor, slotKey, type Cursor } from './cursor.js';
import { feedOf, readFeed, startToken, type FeedPart } from './feed.js';
import { mustRelist } from './feed-changes.js';
import { loadFolders } from './load-folders.js';
import { changesSince } from './incremental-run.js';
import { listEntries } from './list.js';
import type { ListingRequest } from './run-state.js';
import type { HttpSource, Run } from './source.js';

/** Yields what changed since the cursor of the request. Without a cursor, yields all objects. */
export async function* listChanges(
  source: HttpSource,
  run: Run,
  request: ListingRequest,
): AsyncGenerator<Change, void, undefined> {
  const { cursor } = request;
  const known = readCursor(cursor);
  const position = readCheckpoint(request.resume);
  if (known !== null && position?.isFull !== true) {
    const feeds = position === null ? await readFeeds(source, known, run) : [];
    if (feeds !== null) {
      yield* changesSince(source, run, known, feeds, position, request);
      return;
    }
  }
  if (cursor !== undefined && position === null) yield { reset: true };
  yield* listAll(source, run, position, request);
}

/** Lists everything. Takes the tokens of change feeds before the listing and stores them after it. */
async function* listAll(
  source: HttpSource,
  run: Run,
  position: Position | null,
  { commit, remember }: ListingRequest,
): AsyncGenerator<Change, void, undefined> {
  const draft = new CursorDraft(position?.found);
  if (position === null) await startFeeds(source, draft, run);
  for (const { name, description } of source.plan.objects)
    if (description.countEvery !== undefined) draft.setCounted(name, position?.start ?? run.start);
  const finish = (): void => commit(draft.finish(position?.start ?? run.start));
  try {
    for await (const item of listEntries(source, run, position, draft)) {
      if ('checkpoint' in item) {
        yield item;
        continue;
      }
      draft.addEntry(item);
      remember(item);
      yield { entry: item.entry };
    }
  } catch (error) {
    if (isTroveError(error) && error.code === 'listing_incomplete') finish();
    throw error;
  }
  finish();
}

/** Takes the tokens of change feeds and the paths of folders, to recognize moves. */
async function startFeeds(source: HttpSource, draft: CursorDraft, run: Run): Promise<void> {
  for (const [name, { description }] of source.plan.streams) {
    const feed = feedOf(source, name);
    if (feed === null) continue;
    draft.setToken(name, await startToken(source, feed, run));
    const tree = description.document?.tree;
    if (tree === undefined) continue;
    for (const [id, path] of (await loadFolders(source, tree, run)).paths())
      draft.addSlot(slotKey(tree.folders, { identity: id, path }), path);
  }
}

/** Reads all change feeds. Returns null if everything must be listed again. */
async function readFeeds(
  source: HttpSource,
  cursor: Cursor,
  run: Run,
): Promise<readonly FeedPart[] | null> {
  const parts: FeedPart[] = [];
  for (const name of source.plan.streams.keys()) {
    if (feedOf(source, name) === null) continue;
    const token = cursor.tokens[name];
    const part = token === undefined ? null : await readFeed(source, name, token, run);
    if (part === null || (await mustRelist(source, part, cursor, run))) return null;
    parts.push(part);
  }
  return parts;
}
