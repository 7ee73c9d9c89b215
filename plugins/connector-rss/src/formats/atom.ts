import type { Feed, FeedEntry } from '../feed.js';
import { htmlOf } from './content.js';
import { feedDateOf } from './dates.js';
import { childOf, childrenOf, childText, markupOf, textOf, type FeedElement } from './element.js';
import { cleanHtml, paragraphsOf, plainTextOf, resolveLink, toLine } from './html.js';

/** Reads Atom 1.0, and the drafts before it. */
export function readAtom(root: FeedElement, now: number): Feed {
  const author = authorOf(root);
  return {
    title: titleOf(childOf(root, 'atom:title')),
    language: root.attributes['xml:lang'] ?? null,
    entries: childrenOf(root, 'atom:entry').map((entry) => readEntry(entry, author, now)),
    next: linkOf(root, 'next') ?? linkOf(root, 'prev-archive'),
  };
}

function readEntry(entry: FeedElement, feedAuthor: string | null, now: number): FeedEntry {
  const url = linkOf(entry, 'alternate');
  const title = titleOf(childOf(entry, 'atom:title'));
  const published = childText(entry, 'atom:published', 'atom:issued', 'atom:created');
  const updated = childText(entry, 'atom:updated', 'atom:modified');
  const source = childOf(entry, 'atom:source');
  const content = childOf(entry, 'atom:content');
  const html = constructOf(content);
  return {
    id: childText(entry, 'atom:id') || (url ?? `${title} ${published}`),
    title,
    url: url ?? addressOfContent(content),
    author: authorOf(entry) ?? (source === null ? null : authorOf(source)) ?? feedAuthor,
    publishedAt: feedDateOf(published, now),
    updatedAt: feedDateOf(updated, now),
    categories: categoriesOf(entry),
    html: html === '' ? constructOf(childOf(entry, 'atom:summary', 'media:group')) : html,
    enclosures: linksOf(entry, 'enclosure'),
  };
}

function linksOf(element: FeedElement, rel: string): string[] {
  const links = childrenOf(element, 'atom:link').filter(
    ({ attributes }) => (attributes['rel'] ?? 'alternate') === rel,
  );
  const urls = links.map(({ base, attributes }) => resolveLink(attributes['href'] ?? '', base));
  return urls.filter((url) => url !== null);
}

function linkOf(element: FeedElement, rel: string): string | null {
  return linksOf(element, rel)[0] ?? null;
}

/** The address of content outside the document. */
function addressOfContent(content: FeedElement | null): string | null {
  return content === null ? null : resolveLink(content.attributes['src'] ?? '', content.base);
}

/** Returns the form of a text: `text`, `html` or `xhtml`. */
function formOf({ attributes, children }: FeedElement): 'text' | 'html' | 'xhtml' {
  const { type = 'text', mode } = attributes;
  const isMarkup = /x?html/i.test(type);
  const hasElements = children.some((child) => typeof child !== 'string');
  if (hasElements || (isMarkup && mode === 'xml')) return 'xhtml';
  if (isMarkup) return 'html';
  return 'text';
}

function titleOf(element: FeedElement | null): string {
  if (element === null) return '';
  return formOf(element) === 'html' ? plainTextOf(textOf(element)) : toLine(textOf(element));
}

/** Returns a text of Atom as HTML. */
function constructOf(element: FeedElement | null): string {
  if (element === null) return '';
  const { base, name } = element;
  if (name === 'media:group') return htmlOf(childText(element, 'media:description'), base);
  const form = formOf(element);
  if (form === 'xhtml') return cleanHtml(markupOf(element), base);
  const { type = 'text', mode } = element.attributes;
  const isEncoded = mode === 'base64' || /^(?:image|audio|video|application)\//i.test(type);
  if (isEncoded) return '';
  return form === 'html' ? htmlOf(textOf(element), base) : paragraphsOf(textOf(element));
}

function authorOf(element: FeedElement): string | null {
  const names = childrenOf(element, 'atom:author').map((author) =>
    toLine(childText(author, 'atom:name', 'atom:email')),
  );
  return names.filter((name) => name !== '').join(', ') || null;
}

function categoriesOf(entry: FeedElement): string[] {
  const names = childrenOf(entry, 'atom:category').map(({ attributes: { label, term = '' } }) =>
    toLine(label ?? term),
  );
  return [...new Set(names.filter((name) => name !== ''))];
}
