import { parseAddress } from './address.js';
import { readMarkup } from './markup.js';
import { PageCollector } from './page-collector.js';

/** What a page says about itself, and where it leads. */
export interface PageFacts {
  readonly title: string | null;
  readonly author: string | null;
  readonly description: string | null;
  /** As the page says it: `en`, `de-AT`. */
  readonly language: string | null;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number | null;
  /** Address of the page of which this one is a copy. */
  readonly canonical: string | null;
  /** Address to which it sends its readers at once. */
  readonly refresh: string | null;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** Addresses, each once. */
  readonly links: readonly string[];
  /** Changes with what readers can see and with the links, and not with scripts, styles and hidden values. */
  readonly fingerprint: string;
}

const maxLinks = 5000;
const maxTextChars = 1000;

export async function readPageFacts(html: string, address: URL): Promise<PageFacts> {
  const notes = new PageCollector();
  await readMarkup(html, notes);
  const base = (notes.base === null ? null : parseAddress(notes.base, address)) ?? address;
  const resolved = (link: string | undefined): string | null =>
    link === undefined ? null : (parseAddress(link, base)?.href ?? null);
  const { metas } = notes;
  const robots = [metas.get('robots'), metas.get('trove')].join(',').toLowerCase();
  const author = metas.get('author') ?? metas.get('article:author');
  return {
    title: shorten(notes.title) ?? shorten(metas.get('og:title')) ?? shorten(notes.heading),
    author: author === undefined || URL.canParse(author) ? null : shorten(author),
    description: shorten(metas.get('description') ?? metas.get('og:description')),
    language: shorten(notes.language ?? metas.get('content-language')),
    modifiedAt: timeOf(
      metas.get('article:modified_time') ??
        metas.get('og:updated_time') ??
        metas.get('last-modified') ??
        metas.get('article:published_time'),
    ),
    canonical: resolved(notes.canonical ?? undefined),
    refresh: resolved(refreshOf(metas.get('refresh'))),
    noindex: /\b(?:noindex|none)\b/.test(robots),
    nofollow: /\b(?:nofollow|none)\b/.test(robots),
    links: linksOf(notes.links, resolved),
    fingerprint: notes.fingerprint(),
  };
}

function linksOf(
  links: ReadonlySet<string>,
  resolved: (link: string) => string | null,
): readonly string[] {
  const found = new Set<string>();
  for (const link of links) {
    const address = resolved(link);
    if (address !== null) found.add(address);
    if (found.size >= maxLinks) break;
  }
  return [...found];
}

/** What is left of a text for people; null for nothing. */
function shorten(text: string | null | undefined): string | null {
  const short = text?.replaceAll(/\s+/g, ' ').trim().slice(0, maxTextChars) ?? '';
  return short === '' ? null : short;
}

/** A time that can be true; null for any other. */
export function timeOf(text: string | null | undefined): number | null {
  const time = Date.parse(text ?? '');
  const isPossible = time > Date.UTC(1980) && time < Date.now() + 24 * 60 * 60 * 1000;
  return isPossible ? time : null;
}

/** `0; url=/elsewhere`: only where nobody has the time to read. */
function refreshOf(content: string | undefined): string | undefined {
  const [, seconds, link] =
    /^\s*(\d+)[.\d]*\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(
      content?.slice(0, maxTextChars) ?? '',
    ) ?? [];
  return Number(seconds) <= 5 ? link : undefined;
}
