import type { GrepMatch } from '@trove/client';

import { linesOf } from '../paths/locator.js';

export interface GrepLine {
  /** Line number, or the locator of a record. */
  readonly place: string;
  readonly text: string;
  /** Column of the match; null for a line of context. */
  readonly column: number | null;
}

/** Consecutive lines of one object. */
export interface LineBlock {
  readonly source: string;
  readonly lines: readonly GrepLine[];
}

export interface Margins {
  readonly before: number;
  readonly after: number;
}

/** Maximum lines of context that the API returns. */
const maxApiContext = 10;

/** Tests if the margins need more lines than the API returns. */
export function exceedsApiContext({ before, after }: Margins): boolean {
  return Math.max(before, after) > maxApiContext;
}

/** Groups matches and their context into blocks. Overlapping lines appear once. */
export async function* groupIntoBlocks(
  matches: AsyncIterable<GrepMatch>,
  margins: Margins,
): AsyncGenerator<LineBlock, void, undefined> {
  let open: LineBlockBuilder | null = null;
  for await (const match of matches) {
    const source = match.source ?? '';
    const shown = linesOf(match.locator);
    if (shown === undefined || match.match === null) {
      if (open !== null) yield open.block();
      open = null;
      const place = JSON.stringify(match.locator);
      yield { source, lines: [{ place, text: match.content, column: 1 }] };
      continue;
    }
    if (open !== null && !open.reaches(source, Math.max(shown[0], first(match) - margins.before))) {
      yield open.block();
      open = null;
    }
    open ??= new LineBlockBuilder(source);
    open.add(match, shown[0], margins);
  }
  if (open !== null) yield open.block();
}

class LineBlockBuilder {
  readonly #source: string;
  readonly #lines = new Map<number, GrepLine>();
  #last = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Tests if a line continues this block. */
  reaches(source: string, line: number): boolean {
    return source === this.#source && line <= this.#last + 1;
  }

  add(match: GrepMatch, from: number, { before, after }: Margins): void {
    const [start, end] = [first(match), match.match?.lines[1] ?? first(match)];
    for (const [index, text] of textsOf(match).entries()) {
      const number = from + index;
      if (number < start - before || number > end + after) continue;
      const isMatch = number >= start && number <= end;
      if (!isMatch && this.#lines.has(number)) continue;
      const column = isMatch ? (number === start ? (match.match?.column ?? 1) : 1) : null;
      this.#lines.set(number, { place: String(number), text, column });
      this.#last = Math.max(this.#last, number);
    }
  }

  block(): LineBlock {
    const lines = [...this.#lines].sort(([a], [b]) => a - b).map(([, line]) => line);
    return { source: this.#source, lines };
  }
}

function first(match: GrepMatch): number {
  return match.match?.lines[0] ?? 1;
}

/** Splits a match into lines. A final line break starts no new line. */
function textsOf({ content }: GrepMatch): string[] {
  return content.split('\n').map((text) => text.replace(/\r$/, ''));
}
