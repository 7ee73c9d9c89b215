import { TroveError, type Checkpoint, type Entry } from '@trove/core';

import { checkpointsOf, type Position } from './checkpoints.js';
import { childWorks, continueStack, parentsOf, workOf } from './children.js';
import { CursorDraft, slotKey } from './cursor.js';
import { describeItem, documentEntry, objectEntry } from './entries.js';
import type { Scope } from './description/index.js';
import { withSuffix } from './folder-tree.js';
import { loadFolders, parentOf } from './load-folders.js';
import { isTruthy } from './json.js';
import type { PlannedStream } from './plan.js';
import { itemScope, listingScope, requestPage, type Page } from './pages.js';
import { RecentKeys } from './recent-keys.js';
import type { HttpSource, Run } from './source.js';
import { evaluate } from './template.js';
import type { Work } from './work.js';

/** An entry with the parents that its records need. */
export interface Located {
  readonly entry: Entry;
  /** The object of records. Null for a document. */
  readonly object: string | null;
  readonly parents: Readonly<Record<string, unknown>>;
  /** The parents' key in the cursor. */
  readonly stream: string | null;
}

/**
 * Lists all objects of a source. `draft`: the cursor to collect. Throws `listing_incomplete` at the end if the service refused
 * to list a part, or if items could not be used.
 */
export async function* listEntries(
  source: HttpSource,
  run: Run,
  position: Position | null,
  draft = new CursorDraft(),
): AsyncGenerator<Located | Checkpoint, void, undefined> {
  const start = position?.start ?? run.start;
  let gap = position?.gap;
  if (position === null) yield* staticEntries(source, run);
  const stack: Work[] = [...(position?.stack ?? entryRoots(source))];
  const repeated = new RepeatedEntries(draft.keysByPath(source.plan.entryStreams));
  for (let work = stack.pop(); work !== undefined; work = stack.pop()) {
    const page = await requestPage(source, work, run);
    const children: Work[] = [];
    const names = page.stream.children.filter((name) => source.plan.entryStreams.has(name));
    for (const item of page.items) {
      for (const located of await entriesOf(source, page, item, run))
        yield* repeated.distinct(located);
      run.signal.throwIfAborted();
      children.push(...(await childWorks(source, page, item, names, undefined, run)));
    }
    const fault = run.faults.take();
    // Other streams are listed in full anyway.
    if (fault !== undefined && page.stream.description.incremental !== undefined)
      draft.listAgain(page.stream.name);
    gap ??= page.skipped ?? fault;
    continueStack(stack, page, children);
    const found = draft.parts();
    if (stack.length > 0 && (found.isPartial !== true || !hasTree(source))) {
      const own = { start, stack, isFull: true, ...(gap === undefined ? {} : { gap }) };
      yield* checkpointsOf({ ...own, found });
    }
  }
  if (gap !== undefined) throw new TroveError('listing_incomplete', gap);
}

/**
 * Whether documents are in folders, where several may have the same name. If the names of earlier documents are unknown, a later
 * one would replace one of them.
 */
function hasTree({ plan }: HttpSource): boolean {
  return [...plan.entryStreams].some(
    (name) => plan.streams.get(name)?.description.document?.tree !== undefined,
  );
}

/** Leaves out repeated entries, and gives a document another name if an earlier one has its path. */
class RepeatedEntries {
  readonly #paths = new RecentKeys();
  readonly #identities = new RecentKeys();
  /** The keys of the entries before an interruption, by path. */
  readonly #earlier: ReadonlyMap<string, string>;

  constructor(earlier: ReadonlyMap<string, string> = new Map()) {
    this.#earlier = earlier;
  }

  *distinct(located: Located): Generator<Located, void, undefined> {
    const { entry, object, stream } = located;
    const { identity } = entry;
    if (identity !== undefined && !this.#identities.add(`${object ?? stream}/${identity}`)) return;
    const key = stream === null ? '' : slotKey(stream, entry);
    const own = distinct(
      located,
      (path) => this.#paths.has(path) || (this.#earlier.get(path) ?? key) !== key,
    );
    if (this.#paths.add(own.entry.path)) yield own;
  }
}

/** Returns the entries that an item of a listing stands for. */
export async function entriesOf(
  source: HttpSource,
  page: Pick<Page, 'stream' | 'work'>,
  item: unknown,
  run: Run,
): Promise<readonly Located[]> {
  const { stream, work } = page;
  const scope = itemScope(listingScope(source, stream, work, run), item);
  const parents = parentsOf(page, item);
  const located: Located[] = [];
  const add = async (object: string | null, make: () => Promise<Entry | null>): Promise<void> => {
    const kind = object ?? stream.name;
    const entry = await source.attempt({ kind, item: describeItem(stream.name, item) }, run, make);
    if (entry !== undefined && entry !== null)
      located.push({ entry, object, parents, stream: stream.name });
  };
  for (const object of source.plan.objects)
    if (object.description.for === stream.name)
      await add(object.name, () => objectEntry(object, item, scope));
  if (stream.description.document !== undefined)
    await add(null, () => placedDocument(source, stream, item, scope, run));
  return located;
}

/** Returns the entry of a document. Null if it is gone or not below the root of its tree. */
async function placedDocument(
  source: HttpSource,
  { description }: PlannedStream,
  item: unknown,
  scope: Scope,
  run: Run,
): Promise<Entry | null> {
  const { document, isGone } = description;
  if (document === undefined) return null;
  if (isGone !== undefined && isTruthy(await evaluate(isGone, item, scope))) return null;
  const { tree } = document;
  const folder =
    tree === undefined
      ? ''
      : (await loadFolders(source, tree, run)).pathOf(await parentOf(tree, item, scope));
  return folder === null ? null : documentEntry({ ...description, document }, item, scope, folder);
}

/** Gives a document another name if an earlier one has its path. */
export function distinct(located: Located, isTaken: (path: string) => boolean): Located {
  const { entry } = located;
  if (entry.identity === undefined || !isTaken(entry.path)) return located;
  return { ...located, entry: { ...entry, path: withSuffix(entry.path, entry.identity) } };
}

/** Returns the entries of the objects that no stream lists. `isWanted`: by the name of an object. Default: all. */
export async function* staticEntries(
  source: HttpSource,
  run: Run,
  isWanted: (name: string) => boolean = () => true,
): AsyncGenerator<Located, void, undefined> {
  for (const object of source.plan.objects) {
    if (object.description.for !== undefined || !isWanted(object.name)) continue;
    run.signal.throwIfAborted();
    const entry = await objectEntry(object, undefined, source.scope(run));
    yield { entry, object: object.name, parents: {}, stream: null };
  }
}

function entryRoots(source: HttpSource): readonly Work[] {
  const roots = [...source.plan.entryStreams].filter(
    (name) => source.plan.streams.get(name)?.ancestors.length === 0,
  );
  return roots.toReversed().map((name) => workOf(name, {}, undefined));
}
