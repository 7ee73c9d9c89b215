import { countLetters } from './letters.js';
import type { TextPiece } from './pieces.js';

/** The share of right-to-left letters that makes a line right-to-left. pdf.js uses the same share for runs. */
const minRightToLeftShare = 0.3;

/** Whether a line has right-to-left text. */
export function hasRightToLeftText(pieces: readonly TextPiece[]): boolean {
  return pieces.some(({ rightToLeft }) => rightToLeft);
}

/**
 * Sorts the pieces of a line with right-to-left text into reading order, independent of drawing order. `isColumn`
 * returns whether the gap between two pieces separates columns.
 */
export function sortForReading(
  pieces: readonly TextPiece[],
  isColumn: (left: TextPiece, right: TextPiece) => boolean,
): TextPiece[] {
  const fromRight = isRightToLeft(pieces);
  const fromLeft = pieces.toSorted((a, b) => a.along - b.along);
  const ordered = fromRight ? fromLeft.toReversed() : fromLeft;
  const isEmbedded = (piece: TextPiece | undefined) =>
    piece !== undefined && hasDirection(piece) && piece.rightToLeft !== fromRight;
  const result: TextPiece[] = [];
  for (let at = 0; at < ordered.length;) {
    // A run of the other direction, with the pieces inside it, is read in reverse.
    let end = at + 1;
    for (let next = end; isEmbedded(ordered[at]) && next < ordered.length; next++) {
      const [one, other] = [ordered[next - 1], ordered[next]];
      if (one === undefined || other === undefined || isColumn(one, other)) break;
      if (isEmbedded(other)) end = next + 1;
      else if (hasDirection(other)) break;
    }
    result.push(...ordered.slice(at, end).toReversed());
    at = end;
  }
  return result;
}

function isRightToLeft(pieces: readonly TextPiece[]): boolean {
  const { rightToLeft, all } = countLetters(pieces.map(({ text }) => text).join(''));
  return rightToLeft >= all * minRightToLeftShare;
}

/** False for spaces and signs, which take the direction of the surrounding text. */
function hasDirection({ text }: TextPiece): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** The limit of characters. Readable lines are shorter. */
const maxLineChars = 10_000;
const openOf: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', '»': '«' };
const closeOf: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '«': '»' };

/**
 * Corrects mirrored brackets. A page shows brackets in right-to-left text mirrored, so a pair begins with the closing sign.
 * Correct pairs stay unchanged.
 */
export function fixMirroredBrackets(text: string): string {
  if (text.length > maxLineChars) return text;
  const signs = text.split('');
  const opened: { at: number; sign: string }[] = [];
  const closed: { at: number; sign: string }[] = [];
  for (const [at, sign] of signs.entries()) {
    if (sign in closeOf) opened.push({ at, sign });
    else if (sign in openOf && opened.at(-1)?.sign === openOf[sign]) opened.pop();
    else if (sign in openOf) closed.push({ at, sign });
  }
  for (const { at, sign } of closed) {
    const partner = opened.findIndex((each) => each.at > at && each.sign === openOf[sign]);
    const [found] = partner < 0 ? [] : opened.splice(partner, 1);
    if (found === undefined) continue;
    signs[at] = openOf[sign] ?? sign;
    signs[found.at] = sign;
  }
  return signs.join('');
}
