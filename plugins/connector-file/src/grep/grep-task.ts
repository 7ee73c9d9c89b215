import type { GrepPosition } from '@trove/core';
import { mediaTypeOf } from '@trove/text/media-types';
import { compilePathFilter } from '@trove/text/glob';
import { compilePattern, type LineMatch, type PatternRequest } from '@trove/text/grep';

import { relative } from 'node:path';

import { skipReasons } from '../source/entries.js';
import { notFoundError, openRoot, realPathBelow, type FileSource } from '../source/root.js';
import { YieldTimer } from '../threads/yield-timer.js';
import { divideWalk } from '../walk/divide.js';
import { Walk, type WalkItem, type WalkPart } from '../walk/walk.js';
import { FileReader } from './file-reader.js';
import { Candidates, isFilterable } from './filter/candidates.js';
import { compareWalkOrder } from './walk-order.js';
import { searchBytes } from './byte-search.js';
import { claimParts, endClaims, type SharedParts } from './part-claims.js';

/** A task ends after this much text, which is more than a response can contain. */
const maxChars = 16 * 1024 * 1024;

/** Starting a search in all threads takes about a tenth of this time. */
const trialMs = 5;

/** Shared by all searches of a thread, because each finishes a file before another one reads. */
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
  /** The parts that several tasks search. Null: this task searches all files. */
  readonly shared: SharedParts | null;
  /** A number above 0, different for each task of a search. */
  readonly owner: number;
  /** Whether to end with `parts` after `trialMs`. */
  readonly isTrial: boolean;
  /** The filter of the source. Null: none. */
  readonly filter: SharedArrayBuffer | null;
}

export interface GrepMatch extends LineMatch {
  readonly path: string;
}

/** Counts and paths of skipped files. */
export interface GrepSummary {
  /** The parts of the whole search, from a trial that ended early. Null after a complete search. */
  readonly parts: readonly WalkPart[] | null;
  readonly binary: number;
  readonly large: number;
  readonly unreadable: number;
  /** Files and folders whose path is too long for the system. */
  readonly tooLong: number;
  /** Files in which the pattern took too long. */
  readonly slow: readonly string[];
  /** Unreadable folders with the reason. */
  readonly unreadableFolders: readonly string[];
  /** The number of files that a filter could have excluded but did not know. */
  readonly unknown: number;
}

/** Searches the files, or its share of them, in walk order. Throws `not_found` if `path` does not exist. */
export function* grep(task: GrepTask): Generator<GrepMatch[], GrepSummary> {
  const pattern = compilePattern(task);
  const root = openRoot(task);
  const real = realPathBelow(root, task.path);
  if (real === null) throw notFoundError(task.path);
  // The path may contain links, but results use the paths of the index.
  const scope = relative(root.real, real);
  const walk = new Walk(root, { ignore: task.ignore, paths: [scope] });
  const timer = task.isTrial ? new YieldTimer(trialMs) : new YieldTimer();
  const isSelected = compilePathFilter(task.globs, scope);
  const except = new Set(task.excludedMediaTypes);
  const { requiredBytes } = pattern;
  const candidates = isFilterable(requiredBytes)
    ? new Candidates(task.filter, requiredBytes)
    : null;
  const { context, onlyMatching, after } = task;
  const counts = { binary: 0, large: 0, unreadable: 0, tooLong: 0 };
  const slow: string[] = [];
  let batch: GrepMatch[] = [];
  let left = task.limit;
  let chars = 0;
  const summary = (parts: readonly WalkPart[] | null): GrepSummary => ({
    ...counts,
    parts,
    slow,
    unreadableFolders: walk.unreadable,
    unknown: candidates?.unknown ?? 0,
  });
  for (const item of itemsOf(task, walk)) {
    if ('skip' in item) {
      if (item.skip === skipReasons.tooLong) counts.tooLong++;
      continue;
    }
    if (timer.isDue()) {
      if (task.isTrial) return summary(divideWalk(walk));
      yield batch;
      batch = [];
    }
    if (after !== null && compareWalkOrder(item.path, after.path) < 0) continue;
    if (!isSelected(item.path) || except.has(mediaTypeOf(item.path) ?? '')) continue;
    if (candidates?.excludes(item.realPath) === true) continue;
    const skip = item.path === after?.path ? after.matches : 0;
    const limit = Math.min(left, task.limitPerObject - skip);
    if (limit <= 0) continue;
    const found = reader.search(item.realPath, (bytes) => {
      const searched = searchBytes(bytes, pattern, { context, onlyMatching, limit, skip });
      if (searched !== null)
        return searched.matches.length === 0 && searched.complete ? null : searched;
      // The content can identify a document with an unusual name.
      return except.has(mediaTypeOf(item.path, bytes) ?? '') ? null : 'binary';
    });
    if (found === null) continue;
    if (typeof found === 'string') {
      counts[found]++;
      continue;
    }
    const { matches, complete } = found;
    if (!complete) slow.push(item.path);
    batch.push(...matches.map((match) => ({ path: item.path, ...match })));
    left -= matches.length;
    chars += matches.reduce((sum, { content }) => sum + content.length, 0);
    if (left <= 0 || chars > maxChars) {
      if (task.shared !== null) endClaims(task.shared);
      break;
    }
  }
  yield batch;
  return summary(null);
}

/** Yields the files of the walk, or of the parts that this task claims. */
function* itemsOf({ shared, owner }: GrepTask, walk: Walk): Generator<WalkItem> {
  if (shared === null) yield* walk;
  else for (const part of claimParts(shared, owner)) yield* walk.part(part);
}
