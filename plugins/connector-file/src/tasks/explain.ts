import { openRoot } from '../source/root.js';
import { descend } from '../walk/descend.js';
import type { PathTask } from './browse.js';

/** Which rule keeps a path out of the index, and where it is; null when none does. */
export function explain({ path, ...source }: PathTask): string | null {
  return descend(openRoot(source), source.ignore, path).leftOut;
}
