import { isTable, type ConfigTable } from '../tables.js';

/** A list in an answer. */
export interface FoundList {
  /** `data.items`. `.` is the answer itself. */
  readonly path: string;
  readonly items: readonly ConfigTable[];
}

const maxDepth = 4;
/** The usual names of the list of an answer. */
const usualNames = /^(?:items|data|results?|records|entries|list|rows|values|nodes|objects|hits)$/i;

/** Returns the lists of objects in an answer, the most likely one first. Empty lists are returned only without others. */
export function findLists(body: unknown): readonly FoundList[] {
  const found = listsIn(body, []);
  const full = found.filter(({ items }) => items.length > 0);
  return (full.length > 0 ? full : found).toSorted((a, b) => rank(b) - rank(a));
}

function listsIn(value: unknown, path: readonly string[]): FoundList[] {
  if (Array.isArray(value)) {
    const items = value.filter(isTable);
    const isList = items.length === value.length;
    return isList ? [{ path: path.length === 0 ? '.' : path.join('.'), items }] : [];
  }
  if (!isTable(value) || path.length === maxDepth) return [];
  // A path cannot contain a name with a dot.
  return Object.entries(value).flatMap(([name, member]) =>
    name.includes('.') ? [] : listsIn(member, [...path, name]),
  );
}

/** Prefers usual names, then long lists, then those near the top. */
function rank({ path, items }: FoundList): number {
  const steps = path.split('.');
  const isUsual = usualNames.test(steps.at(-1) ?? '');
  return (isUsual ? 1000 : 0) + Math.min(items.length, 500) - steps.length;
}
