import { parseAddress } from './address.js';
import { readMarkup } from './markup.js';
import { PageCollector } from './page-collector.js';

/** The metadata and links of a page. */
export interface PageFacts {
  readonly title: string | null;
  readonly author: string | null;
  readonly description: string | null;
  /** As written in the page, such as `en` or `de-AT`. */
  readonly language: string | null;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number | null;
  /** Address of the original page if this page is a copy. */
  readonly canonical: string | null;
  /** Address of an immediate redirect. */
  readonly refresh: string | null;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** Unique addresses. */
  readonly links: readonly string[];
  /** Changes with visible text and links, but not with scripts, styles and hidden values. */
  readonly fingerprint: string;
}

const maxLinks = 5000;
const maxTextChars = 1000;

export async function readPageFacts(html: string, address: URL): Promise<PageFacts> {
  const collector = new PageCollector();
  await readMarkup(html, collector);
  const base = (collector.base === null ? null : parseAddress(collector.base, address)) ?? address;
  const resolve = (link: string | undefined): string | null =>
    link === undefined ? null : (parseAddress(link, base)?.href ?? null);
  const { metas } = collector;
  const robots = [metas.get('robots'), metas.get('trove')].join(',').toLowerCase();
  const author = metas.get('author') ?? metas.get('article:author');
  return {
    title: shorten(collector.title) ?? shorten(metas.get('og:title')) ?? shorten(collector.heading),
    author: author === undefined || URL.canParse(author) ? null : shorten(author),
    description: shorten(metas.get('description') ?? metas.get('og:description')),
    language: shorten(collector.language ?? metas.get('content-language')),
    modifiedAt: timeOf(
      metas.get('article:modified_time') ??
        metas.get('og:updated_time') ??
        metas.get('last-modified') ??
        metas.get('article:published_time'),
    ),
    canonical: resolve(collector.canonical ?? undefined),
    refresh: resolve(refreshOf(metas.get('refresh'))),
    noindex: /\b(?:noindex|none)\b/.test(robots),
    nofollow: /\b(?:nofollow|none)\b/.test(robots),
    links: linksOf(collector.links, resolve),
    fingerprint: collector.fingerprint(),
  };
}

function linksOf(
  links: ReadonlySet<string>,
  resolve: (link: string) => string | null,
): readonly string[] {
  const addresses = new Set<string>();
  for (const link of links) {
    const address = resolve(link);
    if (address !== null) addresses.add(address);
    if (addresses.size >= maxLinks) break;
  }
  return [...addresses];
}

/** Collapses whitespace and shortens a text. Returns null for an empty text. */
function shorten(text: string | null | undefined): string | null {
  const short = text?.replaceAll(/\s+/g, ' ').trim().slice(0, maxTextChars) ?? '';
  return short === '' ? null : short;
}

/** Parses a time. Returns null for an implausible time. */
export function timeOf(text: string | null | undefined): number | null {
  const time = Date.parse(text ?? '');
  const isPossible = time > Date.UTC(1980) && time < Date.now() + 24 * 60 * 60 * 1000;
  return isPossible ? time : null;
}

/** Parses `0; url=/elsewhere`. Longer delays are no redirects, because people can read the page. */
function refreshOf(content: string | undefined): string | undefined {
  const [, seconds, link] =
    /^\s*(\d+)[.\d]*\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(
      content?.slice(0, maxTextChars) ?? '',
    ) ?? [];
  return Number(seconds) <= 5 ? link : undefined;
}
