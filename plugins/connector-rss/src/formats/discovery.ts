import { Parser } from 'htmlparser2';

import { resolveLink } from './html.js';

const feedType = /^application\/(?:(?:rss|atom|rdf)\+xml|feed\+json)\b/i;
/** Feeds of comments are rarely the ones that people look for. */
const commentTitle = /comments?\b|kommentare?\b|commentaires?\b/i;
const maxChars = 2 * 1024 * 1024;

/** Returns whether a document is a page instead of a feed. */
export function isPage(text: string): boolean {
  return /^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^]{0,2000}?-->\s*)?<(?:!doctype html|html|head|body)\b/i.test(
    text.slice(0, 4000),
  );
}

/** Returns the addresses of the feeds that a page names, feeds of comments last. */
export function feedsOfPage(html: string, address: string): string[] {
  const feeds: { readonly href: string; readonly isComments: boolean }[] = [];
  let base = address;
  const parser = new Parser({
    onopentag: (name, { rel = '', type = '', href = '', title = '' }) => {
      if (name === 'base') base = resolveLink(href, address) ?? address;
      const isAlternate = name === 'link' && rel.toLowerCase().split(/\s+/).includes('alternate');
      const feed = isAlternate && feedType.test(type.trim()) ? resolveLink(href, base) : null;
      if (feed !== null) feeds.push({ href: feed, isComments: commentTitle.test(title) });
    },
  });
  parser.end(html.slice(0, maxChars));
  const posts = feeds.filter(({ isComments }) => !isComments);
  return [...posts, ...feeds.filter(({ isComments }) => isComments)].map(({ href }) => href);
}
