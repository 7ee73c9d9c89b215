import type { Checkpoint, Entry, ListRequest } from '@trove/core';

import { checkpointsOf, readCheckpoint } from './checkpoints.js';
import { childWorks, continueStack, workOf } from './children.js';
import { describeItem, documentEntry, objectEntry } from './entries.js';
import { isTruthy, pick } from './json.js';
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

/** Lists all objects of a source. `found`: what a checkpoint contains besides the position. */
export async function* listEntries(
  source: HttpSource,
  run: Run,
  resume: ListRequest['resume'],
  found?: () => unknown,
): AsyncGenerator<Located | Checkpoint, void, undefined> {
  const position = readCheckpoint(resume);
  if (position === null) yield* staticEntries(source, run);
  const stack: Work[] = [...(position?.stack ?? entryRoots(source))];
  const seen = new RecentKeys();
  for (let work = stack.pop(); work !== undefined; work = stack.pop()) {
    const page = await requestPage(source, work, run);
    if (page.skipped !== null) run.warn(page.skipped);
    const children: Work[] = [];
    for (const item of page.items) {
      for (const located of await entriesOf(source, page, item, run))
        if (seen.add(located.entry.path)) yield located;
      const names = page.stream.children.filter((name) => source.plan.entryStreams.has(name));
      children.push(...(await childWorks(source, page, item, names, undefined, run)));
    }
    continueStack(stack, page, children);
    const start = position?.start ?? run.start;
    if (stack.length > 0) yield* checkpointsOf({ start, stack, found: found?.() });
  }
}

/** Returns the entries that an item of a listing stands for. */
export async function entriesOf(
  source: HttpSource,
  page: Page,
  item: unknown,
  run: Run,
): Promise<readonly Located[]> {
  const { stream, work } = page;
  const { document, isGone, keep } = stream.description;
  const scope = itemScope(listingScope(source, stream, work, run), item);
  const located: Located[] = [];
  for (const object of source.plan.objects) {
    if (object.description.for !== stream.name) continue;
    const entry = await source.attempt(describeItem(stream.name, item), run, () =>
      objectEntry(object, item, scope),
    );
    const parents = { ...work.parents, [stream.name]: keepOf(item, keep) };
    if (entry !== undefined)
      located.push({ entry, object: object.name, parents, stream: stream.name });
  }
  if (
    document !== undefined &&
    !(isGone !== undefined && isTruthy(await evaluate(isGone, item, scope)))
  ) {
    const entry = await source.attempt(describeItem(stream.name, item), run, () =>
      documentEntry(document, item, scope),
    );
    const parents = { ...work.parents, [stream.name]: keepOf(item, keep) };
    if (entry !== undefined) located.push({ entry, object: null, parents, stream: stream.name });
  }
  return located;
}

/** Returns the entries of the objects that no stream lists. */
export async function* staticEntries(
  source: HttpSource,
  run: Run,
): AsyncGenerator<Located, void, undefined> {
  for (const object of source.plan.objects) {
    if (object.description.for !== undefined) continue;
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

function keepOf(item: unknown, names: readonly string[] | undefined): unknown {
  return names === undefined ? item : pick(item, names);
}
