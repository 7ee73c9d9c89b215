import type { TextPieces } from './content-request.js';

/** A part of a text, in whole lines, that is searched separately. */
export interface TextSegment {
  readonly text: string;
  /** Lines of the text before this segment. */
  readonly linesBefore: number;
  /** The range to search, as offsets in `text`. The rest is context. */
  readonly from: number;
  readonly to: number;
}

/** The 1-based number of a line that is too long to hold in memory. */
export interface SkippedLine {
  readonly skippedLine: number;
}

export interface SegmentLimits {
  readonly maxSegmentChars: number;
  readonly maxLineChars: number;
}

const mebi = 1024 * 1024;
const defaults: SegmentLimits = { maxSegmentChars: mebi, maxLineChars: 16 * mebi };

/**
 * Splits a text into segments that overlap by `margin` lines, so matches can be shown with context. Holds about one
 * segment, or one long line, in memory.
 */
export async function* segmentsOf(
  pieces: TextPieces,
  margin: number,
  limits: SegmentLimits = defaults,
): AsyncGenerator<TextSegment | SkippedLine, void, undefined> {
  const cutter = new SegmentBuffer(margin);
  for await (const piece of pieces) {
    cutter.add(piece);
    if (cutter.pendingChars < limits.maxSegmentChars) continue;
    const segment = cutter.cut();
    if (segment !== null) yield segment;
    else if (cutter.pendingChars > limits.maxLineChars) yield { skippedLine: cutter.skipLine() };
  }
  const last = cutter.takeRest();
  if (last !== null) yield last;
}

/** Collects text and returns it in segments. */
class SegmentBuffer {
  readonly #margin: number;
  #parts: string[] = [];
  #chars = 0;
  #hasLineEnd = false;
  /** Searched lines that are kept as context. */
  #lead = '';
  #linesBefore = 0;
  #skipping = false;

  constructor(margin: number) {
    this.#margin = margin;
  }

  get pendingChars(): number {
    return this.#chars;
  }

  add(piece: string): void {
    const text = this.#skipping ? this.#afterLine(piece) : piece;
    this.#parts.push(text);
    this.#chars += text.length;
    this.#hasLineEnd ||= text.includes('\n');
  }

  /** Returns the pending whole lines, or null if there are none. */
  cut(): TextSegment | null {
    if (!this.#hasLineEnd) return null;
    const text = this.#parts.join('');
    const end = text.lastIndexOf('\n') + 1;
    const trail = startOfLast(text, this.#margin, end);
    // If lines are this long, the last one gets no context.
    const to = trail === 0 ? end : trail;
    this.#keep(text.slice(to));
    return this.#segment(text.slice(0, to), text.slice(to, end));
  }

  takeRest(): TextSegment | null {
    const text = this.#parts.join('');
    this.#keep('');
    return text === '' ? null : this.#segment(text, '');
  }

  /** Skips the pending line, including its unread rest. Returns its number. */
  skipLine(): number {
    this.#linesBefore += lineEnds(this.#lead) + 1;
    this.#lead = '';
    this.#skipping = true;
    this.#keep('');
    return this.#linesBefore;
  }

  #segment(body: string, trail: string): TextSegment {
    const lead = this.#lead;
    const text = lead + body + trail;
    const to = lead.length + body.length;
    const segment = { text, linesBefore: this.#linesBefore, from: lead.length, to };
    const next = startOfLast(text, this.#margin, to);
    this.#linesBefore += lineEnds(text.slice(0, next));
    this.#lead = text.slice(next, to);
    return segment;
  }

  #afterLine(piece: string): string {
    const end = piece.indexOf('\n');
    if (end === -1) return '';
    this.#skipping = false;
    return piece.slice(end + 1);
  }

  #keep(text: string): void {
    this.#parts = text === '' ? [] : [text];
    this.#chars = text.length;
    this.#hasLineEnd = text.includes('\n');
  }
}

/** Returns the start of the last `count` lines before `end`, which is the end of a line. */
function startOfLast(text: string, count: number, end: number): number {
  let start = end;
  for (let left = count; left > 0 && start > 0; left--) {
    start = start === 1 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
  }
  return start;
}

function lineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
