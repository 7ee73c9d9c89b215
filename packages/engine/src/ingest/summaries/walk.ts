import type { ObjectRecord, SummaryRecord } from '@trove/core/store';

/** An object, and the stored summaries whose paths are at or before its own. */
export interface WalkStep {
  readonly object: ObjectRecord | null;
  readonly summaries: readonly SummaryRecord[];
}

/** Merges the objects and the summaries of a source, both ordered by path. The last step has no object. */
export async function* walk(
  objects: AsyncIterable<ObjectRecord>,
  summaries: AsyncGenerator<SummaryRecord, void, undefined>,
): AsyncGenerator<WalkStep, void, undefined> {
  let next = await summaries.next();
  for await (const object of objects) {
    const matching: SummaryRecord[] = [];
    while (next.done !== true && compare(next.value.path, object.path) <= 0) {
      matching.push(next.value);
      next = await summaries.next();
    }
    yield { object, summaries: matching };
  }
  const rest: SummaryRecord[] = [];
  for (; next.done !== true; next = await summaries.next()) rest.push(next.value);
  yield { object: null, summaries: rest };
}

/** Returns the folders that contain an object, outermost first. Each ends with a slash; '' is the root. */
export function foldersOf(path: string): string[] {
  if (path === '') return [];
  const folders = [''];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    folders.push(path.slice(0, at + 1));
  return folders;
}

/** Compares by code point. */
function compare(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
