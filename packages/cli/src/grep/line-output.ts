import type { GrepMatch } from '@trove/client';

import { displayUri } from '../paths/display.js';
import { linkTo } from '../paths/link.js';
import type { Cli } from '../session/cli.js';
import { highlightMatches } from '../terminal/highlight.js';
import {
  type LineBlock,
  groupIntoBlocks,
  type GrepLine,
  exceedsApiContext,
  type Margins,
} from './blocks.js';
import { readWideBlocks } from './wide-blocks.js';

export interface LineFormat {
  readonly margins: Margins;
  readonly withPath: boolean;
  /** The path stands above the lines of its file. */
  readonly withHeading: boolean;
  readonly withNumber: boolean;
  readonly withColumn: boolean;
  readonly onlyMatching: boolean;
  /** The expression to highlight. */
  readonly pattern: RegExp | undefined;
}

/** Prints `path:line:text`, with `-` for lines of context. Returns the number of blocks, 0 without a match. */
export async function printLines(
  cli: Cli,
  matches: AsyncIterable<GrepMatch>,
  layout: LineFormat,
): Promise<number> {
  const { margins } = layout;
  const hasContext = margins.before + margins.after > 0;
  let blocks = 0;
  let last: string | null = null;
  for await (const { source, lines } of selectBlocks(cli, matches, layout)) {
    const isOther = layout.withHeading && source !== last;
    if (hasContext && blocks > 0 && !isOther) await cli.out.line('--');
    const shown = displayUri(source, cli);
    if (isOther) {
      if (blocks > 0) await cli.out.line('');
      await cli.out.line(pathOf(cli, source, shown));
    }
    last = source;
    blocks++;
    for (const line of lines) await printLine(cli, source, shown, line, layout);
  }
  return blocks;
}

function selectBlocks(
  cli: Cli,
  matches: AsyncIterable<GrepMatch>,
  { onlyMatching, margins }: LineFormat,
): AsyncGenerator<LineBlock, void, undefined> {
  if (onlyMatching) return occurrenceBlocks(matches);
  return exceedsApiContext(margins)
    ? readWideBlocks(cli, matches, margins)
    : groupIntoBlocks(matches, margins);
}

function pathOf({ out, local }: Cli, source: string, shown: string): string {
  return out.link(out.style.cyan(out.safeName(shown)), linkTo(source, { local }));
}

/** Yields each occurrence as a line of its own. */
async function* occurrenceBlocks(
  matches: AsyncIterable<GrepMatch>,
): AsyncGenerator<LineBlock, void, undefined> {
  for await (const { source, locator, match, content } of matches) {
    const place = match === null ? JSON.stringify(locator) : String(match.lines[0]);
    const texts = content === '' ? [] : content.split('\n');
    const column = match?.column ?? 1;
    yield { source: source ?? '', lines: texts.map((text) => ({ place, text, column })) };
  }
}

async function printLine(
  cli: Cli,
  source: string,
  path: string,
  { place, text, column }: GrepLine,
  layout: LineFormat,
): Promise<void> {
  const { out } = cli;
  const mark = column === null ? '-' : ':';
  const parts = [
    ...(layout.withPath && !layout.withHeading ? [pathOf(cli, source, path)] : []),
    ...(layout.withNumber ? [out.style.green(out.safeName(place))] : []),
    ...(layout.withColumn && column !== null ? [String(column)] : []),
  ];
  const shown = out.safe(text);
  const { pattern } = layout;
  const isMarked = out.isTerminal && pattern !== undefined && column !== null;
  const line = isMarked ? highlightMatches(shown, pattern, out.style) : shown;
  await out.line([...parts, line].join(mark));
}
