import { formatLink } from '@trove/text/markdown';
import type { TextPiece } from './pieces.js';
import { hasRightToLeftText, sortForReading, fixMirroredBrackets } from './reading-order.js';

/** A line of text on a page. */
export interface PdfLine {
  readonly text: string;
  /** The font height of most of its characters. */
  readonly size: number;
  readonly quarterTurns: number;
  readonly left: number;
  readonly right: number;
  readonly across: number;
  /** Whether it has gaps as wide as those between table columns. */
  readonly hasGaps: boolean;
}

/** In font heights: the width of a space, of a column gap, and of a step back within a line. */
const space = 0.15;
const columnGap = 1.8;
const stepBack = 0.6;
/** The maximum distance of raised or lowered text from its line, such as superscripts. */
const raised = 0.5;

/** Joins the pieces of a page to lines, in drawing order. */
export function linesOf(pieces: Iterable<TextPiece>): PdfLine[] {
  const lines: PdfLine[] = [];
  let growing: TextPiece[] = [];
  let last: TextPiece | undefined;
  let isRightToLeft = false;
  for (const piece of pieces) {
    if (piece.text === '' || (last !== undefined && isShadow(last, piece))) continue;
    if (last !== undefined && !continues(last, piece, isRightToLeft)) {
      addLine(lines, growing);
      growing = [];
      isRightToLeft = false;
    }
    // The position of a space does not define the line.
    if (piece.text.trim() !== '' || last === undefined) last = piece;
    growing.push(piece);
    isRightToLeft ||= piece.rightToLeft;
  }
  addLine(lines, growing);
  return lines;
}

/** Bold text is sometimes drawn twice with a small offset. */
function isShadow(last: TextPiece, piece: TextPiece): boolean {
  const near = piece.size * 0.2;
  return (
    piece.text === last.text &&
    piece.text.trim() !== '' &&
    Math.abs(piece.along - last.along) < near &&
    Math.abs(piece.across - last.across) < near
  );
}

/** `isRightToLeft`: the line has right-to-left text, so its pieces may be in any order. */
function continues(last: TextPiece, piece: TextPiece, isRightToLeft: boolean): boolean {
  const size = Math.max(last.size, piece.size);
  if (piece.quarterTurns !== last.quarterTurns) return false;
  if (Math.abs(piece.across - last.across) > size * raised) return false;
  return isRightToLeft || piece.rightToLeft || stepTo(last, piece) > -size * stepBack;
}

/** Returns the distance from the end of a piece to the start of the next. Negative if that starts before the end. */
function stepTo(last: TextPiece, piece: TextPiece): number {
  return piece.along - (last.along + last.length);
}

/** Returns the space between two pieces in any order. */
function gapBetween(one: TextPiece, other: TextPiece): number {
  return one.along <= other.along ? stepTo(one, other) : stepTo(other, one);
}

function isColumn(one: TextPiece, other: TextPiece): boolean {
  return gapBetween(one, other) > other.size * columnGap;
}

function addLine(lines: PdfLine[], pieces: readonly TextPiece[]): void {
  const isRightToLeft = hasRightToLeftText(pieces);
  const ordered = isRightToLeft ? sortForReading(pieces, isColumn) : pieces;
  const drawn = joined(ordered).trim();
  const text = isRightToLeft ? fixMirroredBrackets(drawn) : drawn;
  const [first] = pieces;
  if (text === '' || first === undefined) return;
  const visible = pieces.filter((piece) => piece.text.trim() !== '');
  lines.push({
    text,
    size: mostUsedSize(visible),
    quarterTurns: first.quarterTurns,
    left: Math.min(...visible.map(({ along }) => along)),
    right: Math.max(...visible.map(({ along, length }) => along + length)),
    across: (visible[0] ?? first).across,
    hasGaps: hasGaps(ordered.filter((piece) => piece.text.trim() !== '')),
  });
}

/** Joins the text of adjacent pieces. Pieces with the same address become one link. */
function joined(pieces: readonly TextPiece[]): string {
  let text = '';
  let label = '';
  let url: string | undefined;
  let last: TextPiece | undefined;
  for (const piece of pieces) {
    const gap = last === undefined ? 0 : gapBetween(last, piece);
    const before = text + label;
    const spaced =
      gap > piece.size * space && !/\s$/.test(before) && !/^\s/.test(piece.text) && before !== '';
    if (piece.url !== url) {
      text += url === undefined ? label : linked(label, url);
      label = '';
      url = piece.url;
    }
    if (spaced && label === '') text += ' ';
    else if (spaced) label += ' ';
    label += piece.text;
    last = piece;
  }
  return text + (url === undefined ? label : linked(label, url));
}

function linked(label: string, url: string): string {
  return label.trim() === '' ? label : formatLink(label, url);
}

function mostUsedSize(pieces: readonly TextPiece[]): number {
  const used = new Map<number, number>();
  for (const { size, text } of pieces) used.set(size, (used.get(size) ?? 0) + text.length);
  let best = pieces[0]?.size ?? 1;
  for (const [size, count] of used) if (count > (used.get(best) ?? 0)) best = size;
  return best;
}

function hasGaps(pieces: readonly TextPiece[]): boolean {
  return pieces.some((piece, i) => {
    const last = pieces[i - 1];
    return last !== undefined && isColumn(last, piece);
  });
}
