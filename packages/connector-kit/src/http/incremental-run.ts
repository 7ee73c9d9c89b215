import type { Change } from '@trove/core';

import { checkpointsOf, type Position } from './checkpoints.js';
import { continueStack, workOf } from './children.js';
import { countPage, countingRoots, totals } from './count-records.js';
import { CursorDraft, type Cursor } from './cursor.js';
import { feedOf, type FeedPart } from './feed.js';
import { feedChanges } from './feed-changes.js';
import { staticEntries } from './list.js';
import { objectChanges, removals } from './object-changes.js';
import { requestPage, type Page } from './pages.js';
import { RecentKeys } from './recent-keys.js';
import { recordChanges } from './record-changes.js';
import { isIncremental, isNeeded, type ListingRequest, type RunState } from './run-state.js';
import type { HttpSource, Run } from './source.js';
import { withToken, type Work } from './work.js';

/** Yields what changed since a cursor. `feeds`: the changes of all change feeds. */
export async function* changesSince(
  source: HttpSource,
  run: Run,
  cursor: Cursor,
  feeds: readonly FeedPart[],
  position: Position | null,
  { commit, remember }: Pick<ListingRequest, 'commit' | 'remember'>,
): AsyncGenerator<Change, void, undefined> {
  const start = position?.start ?? run.start;
  const draft = new CursorDraft(position?.found);
  const own = { ...run, start };
  const counted = new RecentKeys();
  const state: RunState = { source, cursor, draft, run: own, counted, remember };
  if (position === null) yield* begin(state, feeds);
  const stack: Work[] = [...(position?.stack ?? [...countingRoots(state), ...changeRoots(state)])];
  for (let work = stack.pop(); work !== undefined; work = stack.pop()) {
    const page = await requestPage(source, work, state.run);
    yield* pageChanges(state, page, stack);
    note(state, page);
    if (mayPause(page)) yield* checkpointsOf({ start, stack, found: draft.parts() });
  }
  yield* totals(state);
  yield* removals(state);
  commit(draft.finish(start));
}

/** Yields the changes of a page, and adds the listings that follow to the stack. */
async function* pageChanges(
  state: RunState,
  page: Page,
  stack: Work[],
): AsyncGenerator<Change, void, undefined> {
  const { counts } = page.work;
  if (counts !== undefined) {
    continueStack(stack, page, await countPage(state, page, counts));
    return;
  }
  const ofObjects = yield* objectChanges(state, page);
  const { children, next, isOver } = yield* recordChanges(state, page);
  const following = page.next === null || isOver ? null : { ...page.next, ...next };
  const continued = { ...page, next: following };
  continueStack(stack, continued, [...ofObjects, ...children]);
}

/** Yields the changes of the feeds, and the objects that must be read again because a stream of theirs reports no changes. */
async function* begin(
  state: RunState,
  feeds: readonly FeedPart[],
): AsyncGenerator<Change, void, undefined> {
  const { source, cursor, draft, run } = state;
  for (const [name, { description }] of source.plan.streams) {
    const { incremental, document } = description;
    if (incremental !== undefined && source.plan.entryStreams.has(name))
      draft.inherit(cursor, name);
    if (document?.tree !== undefined) draft.inherit(cursor, document.tree.folders);
  }
  for (const feed of feeds) yield* feedChanges(state, feed);
  const isReread = (name: string): boolean => !isIncremental(source, name);
  for await (const located of staticEntries(source, run, isReread)) {
    state.remember(located);
    yield { entry: located.entry };
  }
}

function changeRoots({ source, cursor }: RunState): readonly Work[] {
  const { held, start, tokens } = cursor;
  const works: Work[] = [];
  for (const [name, { ancestors, description }] of source.plan.streams) {
    if (ancestors.length > 0 || !isNeeded(source, name) || feedOf(source, name) !== null) continue;
    const work = workOf(name, {}, held[name] ?? start);
    works.push(withToken(work, description, tokens[name]));
    if (description.gone !== undefined)
      works.push({ ...workOf(name, {}, held[goneKey(name)] ?? start), isGone: true });
  }
  return works.toReversed();
}

/**
 * Keeps what a page means for the cursor. A listing that the service refused keeps its older cursor, and so does one with items
 * that could not be used.
 */
function note({ draft, run }: RunState, { work, stream, skipped, next, token }: Page): void {
  const fault = run.faults.take();
  if (skipped !== null) run.warn(skipped);
  if (skipped !== null || fault !== undefined) {
    const isOfObject = stream.object?.description.for !== undefined;
    const holder = isOfObject ? work.slot : undefined;
    const own = work.isGone === true ? goneKey(stream.name) : (holder ?? stream.name);
    if (work.since !== undefined) draft.hold(own, work.since);
  }
  if (next === null && token !== null && !draft.isHeld(stream.name))
    draft.setToken(stream.name, token);
}

/** The key of the older cursor of a list of deleted items. The stream itself continues from its own. */
function goneKey(stream: string): string {
  return `${stream}/gone`;
}

/** Records of a complete scope must not be separated from it by a checkpoint. */
function mayPause({ stream: { description }, next }: Page): boolean {
  const { complete, incremental } = description;
  const isUnordered = incremental?.by === 'window' && incremental.order === 'none';
  return next === null || (complete === undefined && !isUnordered);
}
