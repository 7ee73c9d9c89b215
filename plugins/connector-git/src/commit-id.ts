/** Returns whether a value is a full SHA-1 or SHA-256 id. */
export function isCommitId(value: unknown): value is string {
  return typeof value === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}
