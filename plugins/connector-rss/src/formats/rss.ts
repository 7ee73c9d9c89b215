import type { Feed, FeedEntry } from '../feed.js';
import { contentOf } from './content.js';
import { feedDateOf } from './dates.js';
import { childOf, childrenOf, childText, textOf, type FeedElement } from './element.js';
import { plainTextOf, resolveLink } from './html.js';

/** Reads RSS of all versions. In RSS 0.9 and 1.0, the items are beside the channel. */
export function readRss(root: FeedElement, now: number): Feed {
  const channel = childOf(root, 'channel') ?? root;
  const home = resolveLink(childText(channel, 'link'), channel.base) ?? channel.base;
  const items = [
    ...childrenOf(channel, 'item'),
    ...(channel === root ? [] : childrenOf(root, 'item')),
  ];
  return {
    title: plainTextOf(childText(channel, 'title')),
    language: childText(channel, 'language', 'dc:language') || null,
    entries: items.map((item) => readItem(item, home, now)),
    next: nextOf(channel),
  };
}

/** The address of the document with older entries (RFC 5005). */
function nextOf(channel: FeedElement): string | null {
  const links = childrenOf(channel, 'atom:link');
  const next = links.find(({ attributes: { rel } }) => rel === 'next' || rel === 'prev-archive');
  return resolveLink(next?.attributes['href'] ?? '', channel.base);
}

function readItem(item: FeedElement, home: string, now: number): FeedEntry {
  const guid = textOf(childOf(item, 'guid'));
  const url = addressOf(item, home);
  const title = plainTextOf(childText(item, 'title', 'media:title'));
  const published = childText(
    item,
    'pubDate',
    'dc:date',
    'dcterms:issued',
    'dcterms:created',
    'atom:published',
  );
  const updated = childText(item, 'dcterms:modified', 'atom:updated');
  const content = childOf(
    item,
    'content:encoded',
    'xhtml:body',
    'xhtml:div',
    'description',
    'atom:content',
    'media:description',
    'itunes:summary',
    'atom:summary',
  );
  const html = contentOf(content, url ?? home);
  return {
    id: guid || (url ?? `${title} ${published}`),
    title,
    url,
    author: authorOf(item),
    publishedAt: feedDateOf(published, now),
    updatedAt: feedDateOf(updated, now),
    categories: categoriesOf(item),
    html,
    enclosures: enclosuresOf(item, home),
  };
}

function addressOf(item: FeedElement, home: string): string | null {
  const link = resolveLink(childText(item, 'link'), home);
  if (link !== null) return link;
  const alternate = childrenOf(item, 'atom:link').find(
    ({ attributes: { rel = 'alternate' } }) => rel === 'alternate',
  );
  const href = resolveLink(alternate?.attributes['href'] ?? '', item.base);
  const guid = childOf(item, 'guid');
  if (href !== null || guid === null || guid.attributes['isPermaLink'] === 'false') return href;
  const permanent = textOf(guid);
  return /^https?:\/\//i.test(permanent) ? resolveLink(permanent, home) : null;
}

function authorOf(item: FeedElement): string | null {
  const text = plainTextOf(childText(item, 'dc:creator', 'author', 'itunes:author'));
  const name = childOf(item, 'atom:author');
  const [, inParentheses] = /^[^\s@]+@[^\s@(]+\s*\((.+)\)$/.exec(text) ?? [];
  return (inParentheses ?? text) || (name === null ? null : childText(name, 'atom:name') || null);
}

function categoriesOf(item: FeedElement): string[] {
  const elements = [...childrenOf(item, 'category'), ...childrenOf(item, 'dc:subject')];
  const names = elements.map((element) => plainTextOf(textOf(element)));
  return [...new Set(names.filter((name) => name !== ''))];
}

function enclosuresOf(item: FeedElement, home: string): string[] {
  const elements = [...childrenOf(item, 'enclosure'), ...childrenOf(item, 'media:content')];
  const urls = elements.map(({ attributes: { url } }) => resolveLink(url ?? '', home));
  return [...new Set(urls.filter((url) => url !== null))];
}
