import type { BrowseEntry } from '@trove/core';

/** Returns an entry that is left out without the reason, which may name hidden links and rules. */
export function withoutRules(entry: BrowseEntry): BrowseEntry {
  if (entry.skip === undefined) return entry;
  const { name, type } = entry;
  return { name, type, size: null, modifiedAt: null, skip: 'left out by a rule of the source' };
}
