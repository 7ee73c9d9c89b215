import { TroveError } from '@trove/core';
import type { ImportOptions } from './documents.js';

/** `chunk_overlap` depends on another field, which a schema cannot say. */
export function assertOverlap({ chunk_size: size, chunk_overlap: overlap }: ImportOptions): void {
  if (overlap <= size / 2) return;
  const reason = 'must be at most half of chunk_size';
  throw new TroveError('validation_error', `body.chunk_overlap: ${reason}`, {
    violations: [{ at: ['body', 'chunk_overlap'], reason, rule: 'maximum' }],
  });
}
