import { isBlankAt } from './lines.js';
import { isSentenceEnd } from './paragraphs.js';

/** A part of a line: offsets into the text, `to` exclusive, without white space at either end. */
export interface LinePart {
  readonly from: number;
  readonly to: number;
}

/** Splits `text` from `start` to `end` into parts of at most `maxChars`. Drops blank parts. */
export function* splitLongLine(
  text: string,
  start: number,
  end: number,
  maxChars: number,
): Generator<LinePart> {
  let from = start;
  while (from < end) {
    const cut =
      end - from <= maxChars ? end : bestCut(text, from, from + partSize(end - from, maxChars));
    let to = cut;
    while (from < to && isBlankAt(text, from)) from++;
    while (to > from && isBlankAt(text, to - 1)) to--;
    if (to > from) yield { from, to };
    from = cut;
  }
}

/** Divides the rest between the last two parts, so the last one is not tiny. */
function partSize(left: number, maxChars: number): number {
  return left > 2 * maxChars ? maxChars : Math.min(maxChars, Math.ceil(left * 0.6));
}

/**
 * Returns the best place to cut in the second half of a part. Prefers the end of a sentence or a closing brace, then
 * white space, then punctuation. Never cuts inside a surrogate pair.
 */
function bestCut(text: string, from: number, limit: number): number {
  const lowest = from + Math.ceil((limit - from) / 2);
  let blank = -1;
  let punctuation = -1;
  for (let cut = limit; cut > lowest; cut--) {
    const before = text.charCodeAt(cut - 1);
    if (isBlankAt(text, cut)) {
      if (isSentenceEnd(before)) return cut;
      if (blank === -1) blank = cut;
    } else if (isStatementEnd(before)) {
      return cut;
    } else if (punctuation === -1 && !(isWord(before) && isWord(text.charCodeAt(cut)))) {
      punctuation = cut;
    }
  }
  if (blank !== -1) return blank;
  if (punctuation !== -1) return punctuation;
  return isInsidePair(text, limit) && limit - 1 > from ? limit - 1 : limit;
}

/** Whether a character is `;`, `}` or an ideographic full stop, which white space does not follow. */
function isStatementEnd(code: number): boolean {
  return code === 59 || code === 125 || (code > 0x2fff && isSentenceEnd(code));
}

/** Whether a character is a letter, a digit, `_` or not ASCII. */
function isWord(code: number): boolean {
  return (
    code > 127 ||
    code === 95 ||
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122)
  );
}

function isInsidePair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}
