import { TroveError } from '@trove/core';
import type { ImportOptions } from '../api/documents.js';
import type { ChunkOptions } from './chunks.js';

const defaultOverlap = 200;

/**
 * Returns the chunk size and overlap, or null for whole documents. Throws `validation_error` if the overlap is too
 * large.
 */
export function chunkingOf(options: ImportOptions): ChunkOptions | null {
  const { chunk_size: size, chunk_overlap: requested, chunk_documents: isWanted } = options;
  const largest = Math.floor(size / 2);
  const overlap = requested ?? Math.min(defaultOverlap, largest);
  if (overlap > largest) {
    const reason = 'must be at most half of chunk_size';
    throw new TroveError('validation_error', `body.chunk_overlap: ${reason}`, {
      violations: [{ path: ['body', 'chunk_overlap'], reason, rule: 'maximum' }],
      suggestions: [`Leave it out, or set it to ${largest} or less.`],
    });
  }
  return isWanted ? { size, overlap } : null;
}
