import { createContext, Script } from 'node:vm';

import { collectMatches, type LineMatch, type LineSearch } from './match-lines.js';
import type { Pattern } from './pattern.js';

/** What a regular expression gets for one text: enough for 64 MiB, unless it goes back and forth without end. */
const LIMIT_MS = 2000;

export interface TimedMatches {
  readonly matches: readonly LineMatch[];
  /** False when the time was up before the end of the text. */
  readonly complete: boolean;
}

const room = { task: (): void => {} };
const context = createContext(room);
/** The one way to interrupt a regular expression without ending its thread. */
const script = new Script('task()');

/** The matching lines of a text, as far as they are found within two seconds. */
export function matchLinesInTime(pattern: Pattern, search: LineSearch): TimedMatches {
  const matches: LineMatch[] = [];
  const collect = (): void => collectMatches(matches, pattern, search);
  if (pattern.isLinear) {
    collect();
    return { matches, complete: true };
  }
  room.task = collect;
  try {
    script.runInContext(context, { timeout: LIMIT_MS });
    return { matches, complete: true };
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return { matches, complete: false };
  } finally {
    room.task = () => {};
  }
}

/** The error is of the other context, whose classes are not ours. */
function isTimeout(error: unknown): boolean {
  const isObject = typeof error === 'object' && error !== null;
  return isObject && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
