import { FeedFormatError, type Feed, type FeedEntry } from '../feed.js';
import { htmlOf } from './content.js';
import { feedDateOf } from './dates.js';
import { cleanHtml, paragraphsOf, resolveLink, toLine } from './html.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** Reads JSON Feed 1.0 and 1.1. Throws `FeedFormatError` for other JSON. */
export function readJsonFeed(text: string, address: string, now: number): Feed {
  const root = objectOf(parseJson(text));
  if (!Array.isArray(root['items'])) throw new FeedFormatError('it is JSON without `items`');
  const home = resolveLink(stringOf(root, 'home_page_url'), address) ?? address;
  const author = authorOf(root);
  return {
    title: toLine(stringOf(root, 'title')),
    language: stringOf(root, 'language') || null,
    entries: listOf(root, 'items').map((item) => readItem(item, { home, author, now })),
    next: resolveLink(stringOf(root, 'next_url'), address),
  };
}

interface ItemContext {
  readonly home: string;
  readonly author: string | null;
  readonly now: number;
}

function readItem(item: JsonObject, { home, author, now }: ItemContext): FeedEntry {
  const url = resolveLink(stringOf(item, 'url') || stringOf(item, 'external_url'), home);
  const title = toLine(stringOf(item, 'title'));
  const date = stringOf(item, 'date_published');
  const html = stringOf(item, 'content_html');
  const text = stringOf(item, 'content_text');
  const plain = text === '' ? htmlOf(stringOf(item, 'summary'), url ?? home) : paragraphsOf(text);
  const tags = Array.isArray(item['tags']) ? item['tags'] : [];
  const files = listOf(item, 'attachments').map((file) => resolveLink(stringOf(file, 'url'), home));
  return {
    id: stringOf(item, 'id') || (url ?? `${title} ${date}`),
    title,
    url,
    author: authorOf(item) ?? author,
    publishedAt: feedDateOf(date, now),
    updatedAt: feedDateOf(stringOf(item, 'date_modified'), now),
    categories: [...new Set(tags.filter((tag) => typeof tag === 'string').map(toLine))],
    html: html === '' ? plain : cleanHtml(html, url ?? home),
    enclosures: files.filter((file) => file !== null),
  };
}

/** Version 1.0 has one author, version 1.1 several. */
function authorOf(object: JsonObject): string | null {
  const authors = [...listOf(object, 'authors'), objectOf(object['author'])];
  const names = authors.map((author) => toLine(stringOf(author, 'name')));
  return [...new Set(names.filter((name) => name !== ''))].join(', ') || null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FeedFormatError('it is damaged JSON');
  }
}

function objectOf(value: unknown): JsonObject {
  return Object(value);
}

function listOf(object: JsonObject, name: string): JsonObject[] {
  const value = object[name];
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** Returns a text or a number as text; '' for other values. */
function stringOf(object: JsonObject, name: string): string {
  const value = object[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.trim() : '';
}
