import type { GrepPosition } from '@trove/core';
import { mediaTypeOf } from '@trove/text/media-types';
import { compilePathFilter } from '@trove/text/glob';
import { compilePattern, type LineMatch, type PatternRequest } from '@trove/text/grep';

import { relative } from 'node:path';

import { skipReasons } from '../source/entries.js';
import { notFoundError, openRoot, realPathBelow, type FileSource } from '../source/root.js';
import { YieldTimer } from '../threads/yield-timer.js';
import { Walk } from '../walk/walk.js';
import { FileReader } from './file-reader.js';
import { compareWalkOrder } from './walk-order.js';
import { searchBytes } from './byte-search.js';

/** More matches than any answer holds are not collected. */
const maxChars = 16 * 1024 * 1024;

/** To start a search in all threads takes about a tenth of this. */
const trialMs = 5;

/** Shared by all searches of a thread: each finishes with a file before another reads. */
const reader = new FileReader();

export interface GrepTask extends PatternRequest, FileSource {
  readonly path: string;
  readonly context: number;
  readonly globs: readonly (readonly string[])[];
  readonly excludedMediaTypes: readonly string[];
  readonly onlyMatching: boolean;
  readonly limit: number;
  readonly limitPerObject: number;
  readonly after: GrepPosition | null;
  /** This thread's share of the files: number `part` of `parts`. */
  readonly shard: number;
  readonly shardCount: number;
  /** To end early, with `isWhole: false`, when there is more to search than one thread does in a moment. */
  readonly isTrial: boolean;
}

export interface GrepMatch extends LineMatch {
  readonly path: string;
}

/** What was skipped. */
export interface GrepSummary {
  /** False for a trial that ended early. */
  readonly isComplete: boolean;
  readonly binary: number;
  readonly large: number;
  readonly unread: number;
  /** Files and folders whose path is too long for the system. */
  readonly tooLong: number;
  /** Files in which the pattern took too long. */
  readonly slow: readonly string[];
  /** Folders that could not be read, with the reason. */
  readonly unreadableFolders: readonly string[];
}

/**
 * Searches this thread's share of the files of a listing, in walk order. Throws `not_found` when the path to search in
 * does not exist.
 */
export function* grep(task: GrepTask): Generator<GrepMatch[], GrepSummary> {
  const pattern = compilePattern(task);
  const root = openRoot(task);
  const real = realPathBelow(root, task.path);
  if (real === null) throw notFoundError(task.path);
  // The path may contain links: results use the same paths as the index.
  const scope = relative(root.real, real);
  const walk = new Walk(root, { ignore: task.ignore, paths: [scope] });
  const pace = task.isTrial ? new YieldTimer(trialMs) : new YieldTimer();
  const chooses = compilePathFilter(task.globs, scope);
  const except = new Set(task.excludedMediaTypes);
  const { context, onlyMatching, after } = task;
  const counts = { binary: 0, large: 0, unread: 0, tooLong: 0 };
  const slow: string[] = [];
  let batch: GrepMatch[] = [];
  let left = task.limit;
  let chars = 0;
  const summary = (isWhole: boolean): GrepSummary => ({
    ...counts,
    isComplete: isWhole,
    slow,
    unreadableFolders: walk.unreadable,
  });
  for (const found of walk) {
    if (shardOf(found.path, task.shardCount) !== task.shard) continue;
    if ('skip' in found) {
      if (found.skip === skipReasons.tooLong) counts.tooLong++;
      continue;
    }
    if (pace.isDue()) {
      if (task.isTrial) return summary(false);
      yield batch;
      batch = [];
    }
    if (after !== null && compareWalkOrder(found.path, after.path) < 0) continue;
    if (!chooses(found.path) || except.has(mediaTypeOf(found.path) ?? '')) continue;
    const skip = found.path === after?.path ? after.matches : 0;
    const limit = Math.min(left, task.limitPerObject - skip);
    if (limit <= 0) continue;
    const bytes = reader.read(found.realPath);
    if (typeof bytes === 'string') {
      counts[bytes]++;
      continue;
    }
    const searched = searchBytes(bytes, pattern, { context, onlyMatching, limit, skip });
    if (searched === null) {
      // A document may be called anything.
      if (!except.has(mediaTypeOf(found.path, bytes) ?? '')) counts.binary++;
      continue;
    }
    const { matches, complete } = searched;
    if (!complete) slow.push(found.path);
    if (matches.length > 0) {
      batch.push(...matches.map((match) => ({ path: found.path, ...match })));
      left -= matches.length;
      chars += matches.reduce((sum, { content }) => sum + content.length, 0);
      if (left <= 0 || chars > maxChars) break;
    }
  }
  yield batch;
  return summary(true);
}

/** The same in every thread for a given path, and evenly distributed. */
function shardOf(path: string, parts: number): number {
  let hash = 0;
  for (let index = 0; index < path.length; index++) hash = (hash * 31 + path.charCodeAt(index)) | 0;
  return Math.abs(hash) % parts;
}
