import { createHash } from 'node:crypto';

import type { FeedEntry } from '../feed.js';
import { escapeAttribute, escapeHtml } from '../formats/html.js';

/** Returns the page of an entry: its title, author and date, its content, and links to its files. */
export function documentOf(entry: FeedEntry, language: string | null): string {
  const { title, author, publishedAt, html, enclosures } = entry;
  const lang = language === null ? '' : ` lang="${escapeAttribute(language)}"`;
  const date = publishedAt === null ? null : new Date(publishedAt).toISOString().slice(0, 10);
  const byline = [author, date].filter((part) => part !== null).join(', ');
  const files = enclosures.map((url) => {
    const address = escapeAttribute(url);
    return `<li><a href="${address}">${address}</a></li>`;
  });
  const parts = [
    title === '' ? '' : `<h1>${escapeHtml(title)}</h1>`,
    byline === '' ? '' : `<p>${escapeHtml(byline)}</p>`,
    html,
    files.length === 0 ? '' : `<ul>${files.join('')}</ul>`,
  ];
  const body = parts.filter((part) => part !== '').join('\n');
  return `<!doctype html>\n<html${lang}><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body><main>\n${body}\n</main></body></html>\n`;
}

/** Returns a hash that changes with the content of an entry and its other members. */
export function fingerprintOf(entry: FeedEntry, document: string): string {
  const { url, updatedAt, categories } = entry;
  return createHash('sha256')
    .update(JSON.stringify([document, url, updatedAt, categories]))
    .digest('base64url')
    .slice(0, 32);
}
