import type { GrepSummary } from './grep-task.js';
import { compareWalkOrder } from './walk-order.js';

/** Writes notices about skipped files. A null summary stands for a task that ran out of time. */
export function noticesOf(
  summaries: readonly (GrepSummary | null)[],
  limitSeconds: number,
): string[] {
  const ended = summaries.filter((summary) => summary !== null);
  const sum = (count: (summary: GrepSummary) => number): number =>
    ended.reduce((total, summary) => total + count(summary), 0);
  const notices: string[] = [];
  if (ended.length < summaries.length) {
    notices.push(
      `The search was stopped after ${limitSeconds} seconds, and results are missing. Search in one folder of the source.`,
    );
  }
  const counts = [
    [sum(({ binary }) => binary), 'file', 'binary'],
    [sum(({ large }) => large), 'file', 'over 64 MiB'],
    [sum(({ unreadable }) => unreadable), 'file', 'unreadable'],
    [sum(({ tooLong }) => tooLong), 'path', 'too long to open'],
  ] as const;
  for (const [count, noun, reason] of counts) {
    if (count > 0)
      notices.push(`${count} ${noun}${count === 1 ? '' : 's'} ${reason}, not searched.`);
  }
  const slow = ended.flatMap((summary) => summary.slow).sort(compareWalkOrder);
  for (const path of slow) {
    notices.push(
      `The pattern takes too long in ${path}, so part of the file was not searched. Use fewer nested repetitions.`,
    );
  }
  const folders = ended.flatMap(({ unreadableFolders }) => unreadableFolders);
  for (const folder of folders.sort(compareFolders))
    notices.push(`A folder could not be read: ${folder}`);
  return notices;
}

/** Compares the paths of folders in the order of a walk. */
function compareFolders(a: string, b: string): number {
  const [left, right] = [a.replaceAll('/', '\0'), b.replaceAll('/', '\0')];
  return left < right ? -1 : 1;
}
