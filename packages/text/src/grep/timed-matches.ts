import { createContext, Script } from 'node:vm';

import { collectMatches, type LineMatch, type LineSearch } from './match-lines.js';
import type { CompiledPattern } from './pattern.js';

/** Time limit of a regular expression per text. Enough for 64 MiB without excessive backtracking. */
const timeoutMs = 2000;

export interface TimedMatches {
  readonly matches: readonly LineMatch[];
  /** False if the time ran out before the end of the text. */
  readonly complete: boolean;
}

const sandbox = { task: (): void => {} };
const context = createContext(sandbox);
/** The only way to interrupt a regular expression without terminating its thread. */
const script = new Script('task()');

/** Returns the matching lines of a text that are found within two seconds. */
export function matchLinesInTime(pattern: CompiledPattern, search: LineSearch): TimedMatches {
  const matches: LineMatch[] = [];
  const collect = (): void => collectMatches(matches, pattern, search);
  if (pattern.isLinear) {
    collect();
    return { matches, complete: true };
  }
  sandbox.task = collect;
  try {
    script.runInContext(context, { timeout: timeoutMs });
    return { matches, complete: true };
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return { matches, complete: false };
  } finally {
    sandbox.task = () => {};
  }
}

/** The error comes from another context, so `instanceof` does not work. */
function isTimeout(error: unknown): boolean {
  const isObject = typeof error === 'object' && error !== null;
  return isObject && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
