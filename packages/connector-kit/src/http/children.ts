import type { Scope, StreamDescription } from './description/index.js';
import { isTruthy, pick } from './json.js';
import { itemScope, listingScope, plannedStream, type Page } from './pages.js';
import type { HttpSource, Run } from './source.js';
import { evaluate } from './template.js';
import { timeOf } from './times.js';
import type { Work } from './work.js';

/** Changes of a parent become visible late, too. */
const movedOverlapMs = 600_000;

/**
 * Returns the listings of the child streams for an item. `since`: the cursor of its children. Undefined: they are listed in
 * full.
 */
export async function childWorks(
  source: HttpSource,
  page: Page,
  item: unknown,
  children: readonly string[],
  since: number | undefined,
  run: Run,
): Promise<readonly Work[]> {
  const scope = itemScope(listingScope(source, page.stream, page.work, run), item);
  const parents = parentsOf(page, item);
  const works: Work[] = [];
  for (const child of children) {
    const { when, moved, gone, embedded } = plannedStream(source, child).description;
    if (when !== undefined && !isTruthy(await evaluate(when, item, scope))) continue;
    if (moved !== undefined && since !== undefined) {
      const time = timeOf(await evaluate(moved, item, scope));
      if (time === undefined || time < since - movedOverlapMs) continue;
    }
    const work = workOf(child, parents, since);
    const items = await embeddedItems(embedded, item, scope);
    works.push(items === null ? work : { ...work, embedded: items });
    if (gone !== undefined && since !== undefined) works.push({ ...work, isGone: true });
  }
  return works;
}

/**
 * Returns the listings of the child streams of a gone item. Threads that outlive it are listed as others are. Whole threads that
 * do not are empty.
 */
export async function goneChildWorks(
  source: HttpSource,
  page: Page,
  item: unknown,
  children: readonly string[],
  since: number | undefined,
  run: Run,
): Promise<readonly Work[]> {
  const parents = parentsOf(page, item);
  const outlives = (child: string): boolean =>
    plannedStream(source, child).description.complete?.outlivesParent === true;
  const emptied = children
    .filter((child) => plannedStream(source, child).description.complete !== undefined)
    .filter((child) => !outlives(child))
    .map((child) => ({ ...workOf(child, parents, since), embedded: [] }));
  // Listings of gone items tell only their keys.
  if (page.work.isGone === true) return emptied;
  const listed = await childWorks(source, page, item, children.filter(outlives), since, run);
  return [...emptied, ...listed];
}

/** Returns the parents of the children of an item. */
export function parentsOf(
  { stream, work }: Pick<Page, 'stream' | 'work'>,
  item: unknown,
): Readonly<Record<string, unknown>> {
  const { keep } = stream.description;
  return { ...work.parents, [stream.name]: keep === undefined ? item : pick(item, keep) };
}

/** Returns the items of a child stream that its parent has, or null if they must be requested. */
async function embeddedItems(
  embedded: StreamDescription['embedded'],
  parent: unknown,
  scope: Scope,
): Promise<readonly unknown[] | null> {
  if (embedded === undefined) return null;
  if (!isTruthy(await evaluate(embedded.isComplete, parent, scope))) return null;
  const items = await evaluate(embedded.items, parent, scope);
  return Array.isArray(items) ? items : [];
}

/** Returns the listing of a stream from its first page. */
export function workOf(
  stream: string,
  parents: Readonly<Record<string, unknown>>,
  since: number | undefined,
): Work {
  return { stream, parents, page: null, pages: 0, ...(since === undefined ? {} : { since }) };
}

/**
 * Adds the listing after a page and the listings of its children and contained items, which come first. Embedded items come before all requests,
 * because there is no checkpoint while they wait.
 */
export function continueStack(stack: Work[], page: Page, children: readonly Work[]): void {
  if (page.next !== null) stack.push(page.next);
  stack.push(...page.nested.toReversed(), ...children.toReversed());
  const embedded = stack.filter(isEmbedded);
  if (embedded.length === 0 || embedded.length === stack.length) return;
  const requests = stack.filter((work) => !isEmbedded(work));
  stack.length = 0;
  for (const work of [...requests, ...embedded]) stack.push(work);
}

function isEmbedded({ embedded }: Work): boolean {
  return embedded !== undefined;
}
