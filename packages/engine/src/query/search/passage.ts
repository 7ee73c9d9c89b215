import { analyze, documentTerms, languageOf } from '@trove/text/analyzer';
import type { ResultEnvelope } from '../../api/schemas.js';
import { isInsidePair } from './surrogates.js';

/** The terms that make a line match. */
export interface PassageQuery {
  readonly terms: readonly string[];
  /** Terms that count as forms of a term. */
  readonly forms: ReadonlyMap<string, readonly string[]>;
}

/** Consecutive lines of a text. `chars`: only this part of the one line. */
interface Passage {
  readonly text: string;
  /** Lines from 0, both inclusive. */
  readonly first: number;
  readonly last: number;
  readonly chars: readonly [number, number] | null;
}

type Locator = ResultEnvelope['locator'];

/**
 * Shortens the content of a hit to the whole lines around its best matching lines. The locator names these lines. A
 * line longer than `maxChars` is cut around its first match.
 */
export function shortenHit<Hit extends Pick<ResultEnvelope, 'content' | 'locator'>>(
  hit: Hit,
  query: PassageQuery,
  maxChars: number,
): Hit {
  if (hit.content.length <= maxChars) return hit;
  const passage = passageOf(hit.content, query, maxChars);
  return { ...hit, content: passage.text, locator: locatorOf(hit.locator, passage) };
}

function locatorOf(locator: Locator, { first, last, chars }: Passage): Locator {
  const lines: unknown = locator?.['lines'];
  if (locator === null || !isPair(lines)) return locator;
  const [start] = lines;
  const within: unknown = locator['chars'];
  const offset = isPair(within) ? within[0] : 0;
  const part = chars === null ? {} : { chars: [offset + chars[0], offset + chars[1]] };
  return { ...locator, lines: [start + first, start + last], ...part };
}

function isPair(value: unknown): value is [number, number] {
  return Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'number';
}

function passageOf(content: string, query: PassageQuery, maxChars: number): Passage {
  // The last line ending starts no new line.
  const lines = content.replace(/\r?\n$/, '').split('\n');
  const matches = matchesOf(lines, query, languageOf(content));
  const best = bestWindow(lines, matches, maxChars);
  const longest = matches.reduce(
    (found, terms, at) => (terms.size > (matches[found]?.size ?? 0) ? at : found),
    0,
  );
  const isCut = (lines[longest]?.length ?? 0) > maxChars;
  if (best === null || (isCut && (matches[longest]?.size ?? 0) > best.terms))
    return cutLine(lines, longest, query, maxChars);
  const { first, last } = expand(lines, best, maxChars);
  const text = lines.slice(first, last + 1).join('\n');
  return { text, first, last, chars: null };
}

/** Returns the distinct query terms in each line. */
function matchesOf(
  lines: readonly string[],
  { terms, forms }: PassageQuery,
  language: string | null,
): Set<string>[] {
  return lines.map((line) => {
    if (terms.length === 0) return new Set();
    const found = new Set(
      language === null
        ? analyze(line)
        : documentTerms({ content: line, language }).terms.split(' '),
    );
    return new Set(
      terms.filter((term) => found.has(term) || forms.get(term)?.some((form) => found.has(form))),
    );
  });
}

interface Window {
  readonly first: number;
  readonly last: number;
  /** The number of distinct terms. */
  readonly terms: number;
}

/**
 * Returns the fewest lines with the most distinct terms that fit into `maxChars`. Of several, the one with the most
 * matches. Without matches, returns the first line. Null if no line fits.
 */
function bestWindow(
  lines: readonly string[],
  matches: readonly ReadonlySet<string>[],
  maxChars: number,
): Window | null {
  let best: (Window & { readonly matches: number }) | null = null;
  for (const [first, terms] of matches.entries()) {
    if (terms.size === 0 && best !== null) continue;
    const seen = new Set<string>();
    let chars = -1;
    let count = 0;
    for (let last = first; last < lines.length; last++) {
      chars += 1 + (lines[last]?.length ?? 0);
      if (chars > maxChars) break;
      const found = matches[last] ?? new Set();
      if (last > first && found.size === 0) continue;
      for (const term of found) seen.add(term);
      count += found.size;
      const window = { first, last, terms: seen.size, matches: count };
      if (best === null || isBetter(window, best)) best = window;
    }
  }
  return best;
}

function isBetter(
  one: Window & { readonly matches: number },
  other: Window & { readonly matches: number },
): boolean {
  return one.terms - other.terms > 0 || (one.terms === other.terms && one.matches > other.matches);
}

/** Adds lines after and before the window while they fit. */
function expand(
  lines: readonly string[],
  window: Window,
  maxChars: number,
): { readonly first: number; readonly last: number } {
  let { first, last } = window;
  let chars = lines.slice(first, last + 1).join('\n').length;
  const fits = (at: number): boolean => {
    const line = lines[at];
    if (line === undefined || chars + 1 + line.length > maxChars) return false;
    chars += 1 + line.length;
    return true;
  };
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    if (fits(last + 1)) [last, isGrowing] = [last + 1, true];
    if (fits(first - 1)) [first, isGrowing] = [first - 1, true];
  }
  while (first < window.first && lines[first]?.trim() === '') first++;
  while (last > window.last && lines[last]?.trim() === '') last--;
  return { first, last };
}

/** Cuts a line around its first match. A third of the part is before the match. */
function cutLine(
  lines: readonly string[],
  at: number,
  query: PassageQuery,
  maxChars: number,
): Passage {
  const line = lines[at] ?? '';
  const match = firstMatch(line, query);
  const ellipses = 2;
  const room = Math.max(1, maxChars - ellipses);
  const start = Math.max(0, Math.min(match - Math.floor(room / 3), line.length - room));
  const from = isInsidePair(line, start) ? start + 1 : start;
  const end = Math.min(line.length, start + room);
  const to = isInsidePair(line, end) ? end - 1 : end;
  const text = `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
  return { text, first: at, last: at, chars: [from, to] };
}

/** Returns the offset of the first word that matches, or 0. */
function firstMatch(line: string, { terms, forms }: PassageQuery): number {
  const wanted = new Set([...terms, ...[...forms.values()].flat()]);
  for (const { 0: word, index } of line.matchAll(/[\p{L}\p{N}_$]+/gu)) {
    if (analyze(word).some((term) => wanted.has(term))) return index;
  }
  return 0;
}
