/** A run of text on a page, in units of 1/72 inch. */
export interface TextPiece {
  readonly text: string;
  /** Height of the font. */
  readonly size: number;
  /** The rotation of its text, in counter-clockwise quarter turns from 0 to 3. */
  readonly quarterTurns: number;
  /** The start in the direction of its text, and the length. */
  readonly along: number;
  readonly length: number;
  /** The position of its line. The next line is lower. */
  readonly across: number;
  readonly rightToLeft: boolean;
  readonly url?: string;
}

/** The address of a link and its rectangle on the page (left, bottom, right, top). */
export interface LinkArea {
  readonly url: string;
  readonly rectangle: readonly number[];
}

/** A run of text from pdf.js. */
export interface TextItem {
  readonly str: string;
  readonly dir: string;
  readonly width: number;
  readonly height: number;
  readonly transform: readonly number[];
  readonly fontName: string;
}

/** Returns the pieces of an item: one, unless parts of it are links. */
export function piecesOf(item: TextItem, links: readonly LinkArea[]): TextPiece[] {
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = item.transform;
  const quarterTurns = (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4;
  const size = item.height || Math.hypot(c, d) || 1;
  const { along, across } = position(x, y, quarterTurns);
  const rightToLeft = item.dir === 'rtl';
  const perCharacter = item.width / Math.max(item.str.length, 1);
  const cut = (from: number, to: number, url?: string): TextPiece => ({
    text: item.str.slice(from, to),
    size,
    quarterTurns,
    along: along + from * perCharacter,
    length: (to - from) * perCharacter,
    across,
    rightToLeft,
    ...(url === undefined ? {} : { url }),
  });
  // Links on rotated text are ignored.
  const area =
    quarterTurns === 0
      ? links.find((each) => overlaps(each, x, y + size / 3, item.width))
      : undefined;
  if (area === undefined) return [cut(0, item.str.length)];
  const [left = 0, , right = 0] = area.rectangle;
  const from = rightToLeft ? 0 : wordBoundary(item.str, (left - x) / perCharacter);
  const to = rightToLeft ? item.str.length : wordBoundary(item.str, (right - x) / perCharacter);
  return [cut(0, from), cut(from, to, area.url), cut(to, item.str.length)].filter(
    ({ text }) => text !== '',
  );
}

/** Whether a link covers a significant part of a text. */
function overlaps({ rectangle }: LinkArea, x: number, height: number, width: number): boolean {
  const [left = 0, bottom = 0, right = 0, top = 0] = rectangle;
  const shared = Math.min(right, x + width) - Math.max(left, x);
  return (
    height >= bottom && height <= top && shared > 0 && shared > Math.min(width, right - left) / 2
  );
}

/** Returns the word boundary nearest to a position, because letters differ in width. */
function wordBoundary(text: string, place: number): number {
  const near = Math.min(Math.max(Math.round(place), 0), text.length);
  for (let away = 0; away <= text.length; away++) {
    for (const at of [near - away, near + away]) {
      if (at < 0 || at > text.length) continue;
      if (at === 0 || at === text.length || (text[at] !== ' ') !== (text[at - 1] !== ' '))
        return at;
    }
  }
  return near;
}

function position(x: number, y: number, quarterTurns: number): { along: number; across: number } {
  if (quarterTurns === 1) return { along: y, across: -x };
  if (quarterTurns === 2) return { along: -x, across: -y };
  if (quarterTurns === 3) return { along: -y, across: x };
  return { along: x, across: y };
}
