import type { GrepMatch } from '@trove/client';

import type { Cli } from '../session/cli.js';
import type { LineBlock, Margins } from './blocks.js';

/** Matching lines of an object and the lines around them. */
interface ContextRange {
  readonly source: string;
  readonly from: number;
  readonly to: number;
  /** Column of the match in each matching line. */
  readonly columns: ReadonlyMap<number, number>;
}

/** Reads context beyond the API's limit from the object. Overlapping lines appear once. */
export async function* readWideBlocks(
  cli: Cli,
  matches: AsyncIterable<GrepMatch>,
  margins: Margins,
): AsyncGenerator<LineBlock, void, undefined> {
  let open: ContextRange | null = null;
  for await (const match of matches) {
    const next = rangeOf(match, margins);
    if (next !== null && open !== null && touches(open, next)) {
      open = mergeRanges(open, next);
      continue;
    }
    if (open !== null) yield readBlock(cli, open);
    open = next;
    if (next !== null) continue;
    const place = JSON.stringify(match.locator);
    yield { source: match.source ?? '', lines: [{ place, text: match.content, column: 1 }] };
  }
  if (open !== null) yield readBlock(cli, open);
}

/** Returns null for a match without lines, such as a match in a record. */
function rangeOf({ source, match }: GrepMatch, { before, after }: Margins): ContextRange | null {
  if (source === null || match === null) return null;
  const [first = 1, last = first] = match.lines;
  const columns = new Map<number, number>();
  for (let line = first; line <= last; line++) columns.set(line, line === first ? match.column : 1);
  return { source, from: Math.max(1, first - before), to: last + after, columns };
}

function touches(open: ContextRange, next: ContextRange): boolean {
  return open.source === next.source && next.from <= open.to + 1;
}

function mergeRanges(open: ContextRange, next: ContextRange): ContextRange {
  const columns = new Map([...open.columns, ...next.columns]);
  return { ...open, to: Math.max(open.to, next.to), columns };
}

async function readBlock(
  cli: Cli,
  { source, from, to, columns }: ContextRange,
): Promise<LineBlock> {
  const range = `${from}:${to}`;
  const { content } = await cli.client.browse.cat({ path: source, range });
  const lines = content.replace(/\n$/, '').split('\n');
  return {
    source,
    lines: lines.map((line, at) => ({
      place: String(from + at),
      text: line.replace(/\r$/, ''),
      column: columns.get(from + at) ?? null,
    })),
  };
}
