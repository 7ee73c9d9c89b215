import { withoutLineEnd } from '../encodings/lines.js';
import type { MatchSpan } from './span.js';

type FindMatch = (text: string, from: number) => MatchSpan | null;

/** Characters that combine with the previous one: accents, voicing marks of kana, and parts of Korean syllables. */
const combiningCharacter = /[\u0300-\u036f\u1161-\u11ff\u3099\u309a]/g;
const letter =
  /[^\u0300-\u036f\u1161-\u11ff\u3099\u309a]?[\u0300-\u036f\u1161-\u11ff\u3099\u309a]+/g;

/**
 * Extends `find` to lines with decomposed letters: it also finds matches in the composed form (NFC) of such a line.
 * One regular expression then matches both forms of a text. `findInLine` receives a single line.
 */
export function matchComposedForm(find: FindMatch, findInLine: FindMatch): FindMatch {
  const findAsIs = cacheLast(find);
  const nextLetter = cacheLast(letterFrom);
  const compose = cacheLastComposed();
  return (text, from) => {
    const first = findAsIs(text, from);
    const end = first === null ? text.length : lineEnd(text, first.at);
    for (let letterSpan = nextLetter(text, from); letterSpan !== null && letterSpan.at < end;) {
      const start = text.lastIndexOf('\n', letterSpan.at - 1) + 1;
      const next = lineEnd(text, letterSpan.at);
      const line = compose(withoutLineEnd(text.slice(start, next + 1)));
      const match = findInLine(line.text, line.composedAt(Math.max(from - start, 0)));
      if (match !== null) {
        const span = line.spanOf(match);
        const at = start + span.at;
        return first === null || at <= first.at ? { ...span, at } : first;
      }
      letterSpan = nextLetter(text, next);
    }
    return first;
  };
}

function letterFrom(text: string, from: number): MatchSpan | null {
  combiningCharacter.lastIndex = from;
  const at = combiningCharacter.exec(text)?.index;
  return at === undefined ? null : { at, length: 1 };
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/**
 * Results are cached only for longer texts. Searching a short text again is faster. A search of single lines would also
 * replace the cached result of the whole text.
 */
const minCachedLength = 4096;

/** Caches the last result in a long text, because one kind of match may be rare or missing among many others. */
function cacheLast(find: FindMatch): FindMatch {
  let last: { text: string; from: number; span: MatchSpan | null } | null = null;
  return (text, from) => {
    if (last !== null && last.text === text && from >= last.from) {
      if (last.span === null || from <= last.span.at) return last.span;
    }
    const fresh = find(text, from);
    if (text.length > minCachedLength) last = { text, from, span: fresh };
    return fresh;
  };
}

/** The end of a letter of several characters, as an offset in the composed and in the original line. */
interface LetterEnd {
  readonly composed: number;
  readonly original: number;
}

/** The composed form of a line, with a mapping between its offsets and those of the original line. */
class ComposedLine {
  readonly text: string;
  readonly #ends: LetterEnd[] = [];

  constructor(line: string) {
    let shorter = 0;
    this.text = line.replaceAll(letter, (characters, at: number) => {
      const composed = characters.normalize('NFC');
      shorter += characters.length - composed.length;
      const original = at + characters.length;
      this.#ends.push({ composed: original - shorter, original });
      return composed;
    });
  }

  /** Converts an offset in the original line to one in the composed line. */
  composedAt(original: number): number {
    const before = this.#lastEnd((end) => end.original <= original);
    return before === undefined ? original : before.composed + original - before.original;
  }

  spanOf({ at, length }: MatchSpan): MatchSpan {
    const start = this.#originalAt(at);
    return { at: start, length: this.#originalAt(at + length) - start };
  }

  #originalAt(composed: number): number {
    const before = this.#lastEnd((end) => end.composed <= composed);
    return before === undefined ? composed : before.original + composed - before.composed;
  }

  #lastEnd(isBefore: (end: LetterEnd) => boolean): LetterEnd | undefined {
    let low = 0;
    let high = this.#ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const end = this.#ends[middle];
      if (end !== undefined && isBefore(end)) low = middle + 1;
      else high = middle;
    }
    return this.#ends[low - 1];
  }
}

/** Caches the last line, because each match in a line needs its composed form. */
function cacheLastComposed(): (line: string) => ComposedLine {
  let last = { line: '', composed: new ComposedLine('') };
  return (line) => {
    if (last.line !== line) last = { line, composed: new ComposedLine(line) };
    return last.composed;
  };
}
