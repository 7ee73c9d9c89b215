import type { FeedEntry } from '../feed.js';

const maxNameChars = 100;

/** Assigns paths to entries, such as `2026/11-29 A title.html`. */
export class EntryPaths {
  /** In lower case, because some file systems ignore the case. */
  readonly #taken: Set<string>;
  /** The last number after each path without one. */
  readonly #numbers = new Map<string, number>();

  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken.map((path) => path.toLowerCase()));
  }

  assign(entry: FeedEntry): string {
    const base = basePathOf(entry);
    const lower = base.toLowerCase();
    for (let number = this.#numbers.get(lower) ?? 1; ; number++) {
      const path = number === 1 ? `${base}.html` : `${base} (${number}).html`;
      if (this.#taken.has(path.toLowerCase())) continue;
      this.#taken.add(path.toLowerCase());
      this.#numbers.set(lower, number);
      return path;
    }
  }
}

function basePathOf({ title, url, publishedAt, updatedAt }: FeedEntry): string {
  const name = nameOf(title) || nameOf(lastSegmentOf(url)) || 'untitled';
  const at = publishedAt ?? updatedAt;
  if (at === null) return `undated/${name}`;
  const [year, month, day] = new Date(at).toISOString().slice(0, 10).split('-');
  return `${year}/${month}-${day} ${name}`;
}

/** Returns a text as part of a file name. Cuts it at a space if possible. */
function nameOf(text: string): string {
  const name = text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .replaceAll(/\s*[/\\]\s*/g, '-')
    .replace(/^[.\s-]+/, '')
    .trim();
  if (name.length <= maxNameChars) return name;
  const cut = name.slice(0, maxNameChars).replace(/[\uD800-\uDBFF]$/, '');
  const space = cut.lastIndexOf(' ');
  return (space > maxNameChars / 2 ? cut.slice(0, space) : cut).trim();
}

function lastSegmentOf(url: string | null): string {
  if (url === null) return '';
  const segment = new URL(url).pathname.split('/').findLast((part) => part !== '') ?? '';
  try {
    return decodeURIComponent(segment).replace(/\.\w{1,5}$/, '');
  } catch {
    return segment;
  }
}
