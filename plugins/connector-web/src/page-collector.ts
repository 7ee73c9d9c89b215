import { createHash } from 'node:crypto';

import type { MarkupReader } from './markup.js';

/** Elements whose text is not visible. */
const hiddenElements = new Set(['script', 'style', 'noscript', 'template', 'svg']);
const linkAttributes: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  frame: 'src',
  iframe: 'src',
};
const hashedAttributes = ['href', 'alt', 'start', 'colspan'];
const hashChunkChars = 64 * 1024;
/** Limit for the title and the heading. */
const maxTextChars = 2000;
const maxLinks = 20_000;

type TagAttributes = Readonly<Record<string, string>>;

/** Collects metadata and links from the elements of a page. */
export class PageCollector implements MarkupReader {
  title = '';
  heading = '';
  base: string | null = null;
  canonical: string | null = null;
  language: string | null = null;
  /** Values of `meta` elements by name in lower case. The first of each name counts. */
  readonly metas = new Map<string, string>();
  /** Link targets as written, without `nofollow` links. */
  readonly links = new Set<string>();
  /** Hash of the visible text and the links. */
  readonly #hash = createHash('sha256');
  #unhashed = '';
  #hiddenDepth = 0;
  #target: 'title' | 'heading' | null = null;

  open(name: string, attributes: TagAttributes): void {
    if (hiddenElements.has(name)) this.#hiddenDepth++;
    if (this.#hiddenDepth > 0) return;
    this.#addToHash(name);
    for (const each of hashedAttributes) this.#addToHash(attributes[each] ?? '');
    if (name === 'title' && this.title === '') this.#target = 'title';
    else if (name === 'h1' && this.heading === '') this.#target = 'heading';
    else if (name === 'html') this.language = attributes['lang'] ?? attributes['xml:lang'] ?? null;
    else if (name === 'base') this.base ??= attributes['href'] ?? null;
    else if (name === 'meta') this.#meta(attributes);
    else if (name === 'link') this.#link(attributes);
    else this.#follow(name, attributes);
  }

  text(text: string): void {
    if (this.#hiddenDepth > 0) return;
    this.#addToHash(text.replaceAll(/\s+/g, ' '));
    if (this.#target !== null && this[this.#target].length < maxTextChars)
      this[this.#target] += text;
  }

  close(name: string): void {
    if (hiddenElements.has(name)) this.#hiddenDepth = Math.max(0, this.#hiddenDepth - 1);
    if (name === 'title' || name === 'h1') this.#target = null;
  }

  fingerprint(): string {
    return this.#hash.update(this.#unhashed).digest('hex');
  }

  #addToHash(text: string): void {
    this.#unhashed += `${text}\0`;
    if (this.#unhashed.length < hashChunkChars) return;
    this.#hash.update(this.#unhashed);
    this.#unhashed = '';
  }

  #meta({ name, property, content, 'http-equiv': equivalent }: TagAttributes): void {
    const key = (name ?? property ?? equivalent ?? '').toLowerCase();
    if (key === '' || content === undefined) return;
    if (!this.metas.has(key)) this.metas.set(key, content);
    // Other values are often nonces, which readers do not see.
    if (key === 'title' || key.startsWith('og:')) this.#addToHash(content);
  }

  #link({ rel = '', href }: TagAttributes): void {
    if (href === undefined) return;
    const relations = rel.toLowerCase().split(/\s+/);
    if (relations.includes('canonical')) this.canonical ??= href;
    if (relations.includes('next') || relations.includes('prev')) this.links.add(href);
  }

  #follow(name: string, attributes: TagAttributes): void {
    const link = attributes[linkAttributes[name] ?? ''];
    if (link === undefined || link.startsWith('#') || this.links.size >= maxLinks) return;
    const isFollowed = !/\bnofollow\b/i.test(attributes['rel'] ?? '');
    if (isFollowed) this.links.add(link);
  }
}
