import type { Checkpoint } from '@trove/core';

import { isRecord } from './json.js';
import type { Work } from './work.js';

const version = 1;
const maxCheckpointChars = 100_000;

/** The position in a listing: when it began, and the listings that are not complete, the current one last. */
export interface Position {
  readonly start: number;
  readonly stack: readonly Work[];
  /** What the run has found for its cursor. */
  readonly found?: unknown;
  /** Whether a listing of changes lists everything. */
  readonly isFull?: boolean;
  /** Why the listing is not complete. */
  readonly gap?: string;
}

/**
 * Yields a checkpoint. A position that is too large has none, so an interrupted run repeats a few pages. Neither has one
 * with embedded items: they follow without a request.
 */
export function* checkpointsOf(position: Position): Generator<Checkpoint, void, undefined> {
  if (position.stack.some(({ embedded }) => embedded !== undefined)) return;
  const checkpoint = { v: version, ...position, stack: [...position.stack] };
  if (charsOf(checkpoint) <= maxCheckpointChars) yield { checkpoint };
}

/** Returns the length of a value as JSON. Infinity for one that is nested too deep to be written. */
function charsOf(value: unknown): number {
  try {
    return JSON.stringify(value).length;
  } catch (error) {
    if (error instanceof RangeError) return Infinity;
    throw error;
  }
}

/** Reads a checkpoint. Returns null for none, and for one of another version: the run then starts over. */
export function readCheckpoint(checkpoint: unknown): Position | null {
  if (!isRecord(checkpoint) || checkpoint['v'] !== version) return null;
  const { start, stack, found, isFull, gap } = checkpoint;
  if (typeof start !== 'number' || !Array.isArray(stack) || !stack.every(isWork)) return null;
  return {
    start,
    stack,
    found,
    isFull: isFull === true,
    ...(typeof gap === 'string' ? { gap } : {}),
  };
}

function isWork(value: unknown): value is Work {
  return isRecord(value) && typeof value['stream'] === 'string' && isRecord(value['parents']);
}
