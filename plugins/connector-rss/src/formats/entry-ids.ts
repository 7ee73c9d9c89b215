import type { FeedEntry } from '../feed.js';

/** Adds address or title to ids that several entries of a document share, as programs with a constant id write them. */
export function withUniqueIds(entries: readonly FeedEntry[]): FeedEntry[] {
  const counts = new Map<string, number>();
  for (const { id } of entries) counts.set(id, (counts.get(id) ?? 0) + 1);
  const unique = new Map<string, FeedEntry>();
  for (const entry of entries) {
    const { id, url, title } = entry;
    const own = counts.get(id) === 1 ? id : `${id} ${url ?? title}`;
    // The first of two equal entries is the newest one.
    if (!unique.has(own)) unique.set(own, { ...entry, id: own });
  }
  return [...unique.values()];
}
