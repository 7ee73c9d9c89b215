import { createHash } from 'node:crypto';

import type { MarkupReader } from './markup.js';

/** Elements whose text nobody sees. */
const hiddenElements = new Set(['script', 'style', 'noscript', 'template', 'svg']);
const linkAttributes: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  frame: 'src',
  iframe: 'src',
};
const hashedAttributes = ['href', 'alt', 'start', 'colspan'];
const hashChunkChars = 64 * 1024;
/** Of title and heading, in characters. */
const maxTextChars = 2000;
const maxLinks = 20_000;

type TagAttributes = Readonly<Record<string, string>>;

/** Collects what is noteworthy while the elements of a page come. */
export class PageCollector implements MarkupReader {
  title = '';
  heading = '';
  base: string | null = null;
  canonical: string | null = null;
  language: string | null = null;
  /** By name, in lower case: the first of each. */
  readonly metas = new Map<string, string>();
  /** As they are written, but those not to be followed. */
  readonly links = new Set<string>();
  /** Of what readers can see, and of the links, in order. */
  readonly #hash = createHash('sha256');
  #unhashed = '';
  #unseen = 0;
  #into: 'title' | 'heading' | null = null;

  open(name: string, attributes: TagAttributes): void {
    if (hiddenElements.has(name)) this.#unseen++;
    if (this.#unseen > 0) return;
    this.#see(name);
    for (const each of hashedAttributes) this.#see(attributes[each] ?? '');
    if (name === 'title' && this.title === '') this.#into = 'title';
    else if (name === 'h1' && this.heading === '') this.#into = 'heading';
    else if (name === 'html') this.language = attributes['lang'] ?? attributes['xml:lang'] ?? null;
    else if (name === 'base') this.base ??= attributes['href'] ?? null;
    else if (name === 'meta') this.#meta(attributes);
    else if (name === 'link') this.#link(attributes);
    else this.#follow(name, attributes);
  }

  text(text: string): void {
    if (this.#unseen > 0) return;
    this.#see(text.replaceAll(/\s+/g, ' '));
    if (this.#into !== null && this[this.#into].length < maxTextChars) this[this.#into] += text;
  }

  close(name: string): void {
    if (hiddenElements.has(name)) this.#unseen = Math.max(0, this.#unseen - 1);
    if (name === 'title' || name === 'h1') this.#into = null;
  }

  fingerprint(): string {
    return this.#hash.update(this.#unhashed).digest('hex');
  }

  #see(text: string): void {
    this.#unhashed += `${text}\0`;
    if (this.#unhashed.length < hashChunkChars) return;
    this.#hash.update(this.#unhashed);
    this.#unhashed = '';
  }

  #meta({ name, property, content, 'http-equiv': equivalent }: TagAttributes): void {
    const key = (name ?? property ?? equivalent ?? '').toLowerCase();
    if (key === '' || content === undefined) return;
    if (!this.metas.has(key)) this.metas.set(key, content);
    // These are nonces as often as not, and nothing that is read.
    if (key === 'title' || key.startsWith('og:')) this.#see(content);
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
