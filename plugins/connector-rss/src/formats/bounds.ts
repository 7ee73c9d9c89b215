import { createHash } from 'node:crypto';

import type { Feed, FeedEntry } from '../feed.js';

/** The engine keeps no more of a title. */
const maxChars = 1000;
/** Longer addresses are no addresses of pages. */
const maxUrlChars = 8000;
const maxListed = 100;

/** Cuts the short texts of a feed, because the archive holds those of all entries in memory. */
export function boundFeed(feed: Feed): Feed {
  const { title, language } = feed;
  return {
    ...feed,
    title: cut(title),
    language: language === null ? null : cut(language),
    entries: feed.entries.map(boundEntry),
  };
}

function boundEntry(entry: FeedEntry): FeedEntry {
  const { id, title, url, author, categories, enclosures } = entry;
  return {
    ...entry,
    id: boundId(id),
    title: cut(title),
    url: url === null || url.length > maxUrlChars ? null : url,
    author: author === null ? null : cut(author),
    categories: categories.slice(0, maxListed).map(cut),
    enclosures: enclosures.filter(({ length }) => length <= maxUrlChars),
  };
}

/** Replaces the rest of a long id by its hash, because ids that begin alike must differ. */
function boundId(id: string): string {
  if (id.length <= maxChars) return id;
  const hash = createHash('sha256').update(id).digest('base64url');
  return `${id.slice(0, maxChars - hash.length)}${hash}`;
}

/** Cuts a text without halving a character. */
function cut(text: string): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '');
}
