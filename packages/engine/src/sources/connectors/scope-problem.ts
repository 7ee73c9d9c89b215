/** Describes the problem of the `complete` scope of a change, in the terms of the author of the connector. */
export function scopeProblem(scope: unknown, maxThreadChars: number): string | null {
  if (scope === 'object') return null;
  if (typeof scope === 'object' && scope !== null) {
    const names = Object.keys(scope).sort().join();
    if (names === 'thread' && 'thread' in scope) return threadProblem(scope.thread, maxThreadChars);
    if (names === 'from,to' && 'from' in scope && 'to' in scope)
      return rangeProblem(scope.from, scope.to);
  }
  return "`complete` is neither 'object' nor { thread } nor { from, to }";
}

function threadProblem(thread: unknown, maxChars: number): string | null {
  if (typeof thread !== 'string') return '`complete.thread` is not a string';
  return thread.length <= maxChars
    ? null
    : `\`complete.thread\` has more than ${maxChars} characters`;
}

function rangeProblem(from: unknown, to: unknown): string | null {
  if (!isTime(from)) return '`complete.from` is not a number of milliseconds';
  if (!isTime(to)) return '`complete.to` is not a number of milliseconds';
  return from < to ? null : `\`complete.from\` (${from}) must be less than \`complete.to\` (${to})`;
}

function isTime(value: unknown): value is number {
  return Number.isFinite(value);
}
