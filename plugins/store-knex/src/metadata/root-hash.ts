import { createHash } from 'node:crypto';

/** The key of a root URI, which may be too long for an index. */
export function rootHash(rootUri: string): string {
  return createHash('sha256').update(rootUri).digest('hex');
}
