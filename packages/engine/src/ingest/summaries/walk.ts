import type { ObjectRecord, SummaryRecord } from '@trove/core/store';

/** An object, with the stored summaries whose paths come before its own, or are its own. */
export interface WalkStep {
  readonly object: ObjectRecord | null;
  readonly summaries: readonly SummaryRecord[];
}

/** Joins the objects and the summaries of a source, each in the order of paths; the last step has no object. */
export async function* walk(
  objects: AsyncIterable<ObjectRecord>,
  summaries: AsyncGenerator<SummaryRecord, void, undefined>,
): AsyncGenerator<WalkStep, void, undefined> {
  let next = await summaries.next();
  for await (const object of objects) {
    const met: SummaryRecord[] = [];
    while (next.done !== true && compare(next.value.path, object.path) <= 0) {
      met.push(next.value);
      next = await summaries.next();
    }
    yield { object, summaries: met };
  }
  const rest: SummaryRecord[] = [];
  for (; next.done !== true; next = await summaries.next()) rest.push(next.value);
  yield { object: null, summaries: rest };
}

/** The folders that contain an object, outermost first; each ends with a slash, but '' is the root. */
export function foldersOf(path: string): string[] {
  if (path === '') return [];
  const folders = [''];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    folders.push(path.slice(0, at + 1));
  return folders;
}

/** By code point. */
function compare(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
