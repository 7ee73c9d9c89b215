import type { GrepMatch } from '@trove/client';

import { displayUri } from '../paths/display.js';
import { linkTo } from '../paths/link.js';
import type { Cli } from '../session/cli.js';
import { highlightMatches } from '../terminal/highlight.js';
import { type Block, blocksOf, type GrepLine, type Margins } from './blocks.js';

export interface Layout {
  readonly margins: Margins;
  readonly withPath: boolean;
  readonly withNumber: boolean;
  readonly withColumn: boolean;
  readonly onlyMatching: boolean;
  /** What to highlight. */
  readonly pattern: RegExp | undefined;
}

/** Prints `path:line:text`, lines of context with `-`; returns 0 if there was no match. */
export async function printLines(
  cli: Cli,
  matches: AsyncIterable<GrepMatch>,
  layout: Layout,
): Promise<number> {
  const { margins } = layout;
  const hasContext = margins.before + margins.after > 0;
  const found = layout.onlyMatching ? occurrencesIn(matches) : blocksOf(matches, margins);
  let blocks = 0;
  for await (const { source, lines } of found) {
    if (hasContext && blocks > 0) await cli.out.line('--');
    blocks++;
    const shown = displayUri(source, cli);
    for (const line of lines) await printLine(cli, source, shown, line, layout);
  }
  return blocks;
}

/** What matches, each occurrence in a line of its own. */
async function* occurrencesIn(
  matches: AsyncIterable<GrepMatch>,
): AsyncGenerator<Block, void, undefined> {
  for await (const { source, locator, match, content } of matches) {
    const place = match === null ? JSON.stringify(locator) : String(match.lines[0]);
    const texts = content === '' ? [] : content.split('\n');
    const column = match?.column ?? 1;
    yield { source: source ?? '', lines: texts.map((text) => ({ place, text, column })) };
  }
}

async function printLine(
  { out, local }: Cli,
  source: string,
  path: string,
  { place, text, column }: GrepLine,
  layout: Layout,
): Promise<void> {
  const mark = column === null ? '-' : ':';
  const link = linkTo(source, { local });
  const parts = [
    ...(layout.withPath ? [out.link(out.style.cyan(out.safeName(path)), link)] : []),
    ...(layout.withNumber ? [out.style.green(out.safeName(place))] : []),
    ...(layout.withColumn && column !== null ? [String(column)] : []),
  ];
  const shown = out.safe(text);
  const { pattern } = layout;
  const isMarked = out.isTerminal && pattern !== undefined && column !== null;
  const line = isMarked ? highlightMatches(shown, pattern, out.style) : shown;
  await out.line([...parts, line].join(mark));
}
