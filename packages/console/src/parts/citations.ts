import type { MarkedPart } from './mark-words.js';

const maxSearchChars = 20_000;

/** A passage with its id, as an answer cites it. */
interface IdentifiedPassage {
  readonly id: string;
}

/** Finds a text in another one, ignoring differences of white space: `[start, end]`, or null. */
export function placeOf(searched: string, text: string): readonly [number, number] | null {
  const exact = searched === '' ? -1 : text.indexOf(searched);
  if (exact >= 0) return [exact, exact + searched.length];
  const words = searched.slice(0, maxSearchChars).split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const found = new RegExp(words.map(escaped).join('\\s+')).exec(text);
  return found === null ? null : [found.index, found.index + found[0].length];
}

/** Returns the lines of a text in another one, starting at 1. Null if it does not occur. */
export function lineRangeOf(searched: string, text: string): readonly [number, number] | null {
  const place = placeOf(searched, text);
  if (place === null) return null;
  const first = text.slice(0, place[0]).split('\n').length;
  return [first, first + text.slice(...place).split('\n').length - 1];
}

/** Splits an answer into texts and indices of cited passages. */
export function citedParts(
  answer: string,
  passages: readonly IdentifiedPassage[],
): (string | number)[] {
  const parts: (string | number)[] = [];
  let from = 0;
  while (from < answer.length) {
    const next = passages
      .map(({ id }, index) => ({ index, mark: `[${id}]`, start: answer.indexOf(`[${id}]`, from) }))
      .filter(({ start }) => start >= 0)
      .sort((a, b) => a.start - b.start || b.mark.length - a.mark.length)[0];
    parts.push(answer.slice(from, next?.start));
    if (next === undefined) break;
    parts.push(next.index);
    from = next.start + next.mark.length;
  }
  return parts.filter((part) => part !== '');
}

/** Returns the sentences of a passage that an answer quotes. */
export function quotationsOf(answer: string, { id }: IdentifiedPassage): string[] {
  const end = `” [${id}]`;
  return answer
    .split('\n')
    .filter((line) => line.startsWith('“') && line.endsWith(end))
    .map((line) => line.slice(1, -end.length).replace(/…$/, ''));
}

/** Splits a text into parts and marks those that are quoted. */
export function markQuotations(text: string, quoted: readonly string[]): MarkedPart[] {
  const places = quoted
    .flatMap((sentence) => {
      const place = placeOf(sentence, text);
      return place === null ? [] : [place];
    })
    .sort(([a], [b]) => a - b);
  const parts: MarkedPart[] = [];
  let from = 0;
  for (const [start, end] of places) {
    if (end <= from) continue;
    parts.push({ text: text.slice(from, start), isMarked: false });
    parts.push({ text: text.slice(Math.max(from, start), end), isMarked: true });
    from = end;
  }
  parts.push({ text: text.slice(from), isMarked: false });
  return parts.filter((part) => part.text !== '');
}

function escaped(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
