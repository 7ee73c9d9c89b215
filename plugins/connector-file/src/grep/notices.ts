import type { GrepSummary } from './grep-task.js';

/** What a search left out, for people; null stands for a share that was cut off. */
export function noticesOf(summaries: readonly (GrepSummary | null)[]): string[] {
  const ended = summaries.filter((summary) => summary !== null);
  const sum = (count: (summary: GrepSummary) => number): number =>
    ended.reduce((total, summary) => total + count(summary), 0);
  const notices: string[] = [];
  if (ended.length < summaries.length) {
    notices.push(
      'The regular expression took too long: the search was stopped after 5 seconds, and results are missing. Write it with fewer nested repetitions, or search in a folder.',
    );
  }
  push(
    notices,
    sum((summary) => summary.binary),
    'binary',
    'not searched',
  );
  push(
    notices,
    sum((summary) => summary.large),
    'over 64 MiB',
    'not searched',
  );
  push(
    notices,
    sum((summary) => summary.unread),
    'unreadable',
    'not searched',
  );
  const folders = new Set(ended.flatMap((summary) => summary.unreadFolders));
  for (const folder of folders) notices.push(`A folder could not be read: ${folder}`);
  return notices;
}

function push(notices: string[], count: number, what: string, said: string): void {
  if (count > 0) notices.push(`${count} ${count === 1 ? 'file' : 'files'} ${what}, ${said}.`);
}
