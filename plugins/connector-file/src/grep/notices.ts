import type { GrepSummary } from './grep-task.js';

/** Tells people what a search skipped; null stands for a share that was cut short. */
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
      `The search took too long: it was stopped after ${limitSeconds} seconds, and results are missing. Search in a folder of the source.`,
    );
  }
  const counts = [
    [sum(({ binary }) => binary), 'file', 'binary'],
    [sum(({ large }) => large), 'file', 'over 64 MiB'],
    [sum(({ unread }) => unread), 'file', 'unreadable'],
    [sum(({ tooLong }) => tooLong), 'path', 'too long to open'],
  ] as const;
  for (const [count, what, why] of counts) {
    if (count > 0) notices.push(`${count} ${what}${count === 1 ? '' : 's'} ${why}, not searched.`);
  }
  for (const path of ended.flatMap(({ slow }) => slow)) {
    notices.push(
      `The pattern takes too long in ${path}: not all of it was searched. Write it with fewer repetitions inside of others.`,
    );
  }
  const folders = new Set(ended.flatMap(({ unreadableFolders: unreadFolders }) => unreadFolders));
  for (const folder of folders) notices.push(`A folder could not be read: ${folder}`);
  return notices;
}
