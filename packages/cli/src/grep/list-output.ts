import type { GrepMatch } from '@trove/client';

import { displayUri } from '../paths/display.js';
import { linkTo } from '../paths/link.js';
import { linesOf } from '../paths/locator.js';
import type { Cli } from '../session/cli.js';

interface ListFormat {
  /** The terminator of a path: a line break, or NUL for `xargs -0`. */
  readonly end: string;
  readonly withPath: boolean;
}

/** Prints each object with a match once. */
export async function printPaths(
  cli: Cli,
  matches: AsyncIterable<GrepMatch>,
  { end }: ListFormat,
): Promise<number> {
  const seen = new Set<string>();
  for await (const { source } of matches) {
    if (source === null || seen.has(source)) continue;
    seen.add(source);
    await cli.out.write(`${pathOf(cli, source)}${end}`);
  }
  return seen.size;
}

/** Prints the number of matching lines of each object. */
export async function printCounts(
  cli: Cli,
  matches: AsyncIterable<GrepMatch>,
  { end, withPath }: ListFormat,
): Promise<number> {
  const counts = new Map<string, number>();
  for await (const { source, match } of matches) {
    if (source === null) continue;
    const [from, to] = match?.lines ?? [1, 1];
    counts.set(source, (counts.get(source) ?? 0) + (to ?? 1) - (from ?? 1) + 1);
  }
  const separator = end === '\n' ? ':' : end;
  for (const [source, count] of counts) {
    await cli.out.line(withPath ? `${pathOf(cli, source)}${separator}${count}` : String(count));
  }
  return counts.size;
}

/** Prints each match as one line of JSON, with its path and line number. */
export async function printJsonLines(cli: Cli, matches: AsyncIterable<GrepMatch>): Promise<number> {
  let count = 0;
  for await (const { source, ...match } of matches) {
    count++;
    const path = source === null ? null : displayUri(source, cli);
    const line = match.match?.lines[0] ?? linesOf(match.locator)?.[0] ?? null;
    await cli.out.line(cli.out.safe(JSON.stringify({ path, line, source, ...match })));
  }
  return count;
}

function pathOf({ out, ...place }: Cli, source: string): string {
  return out.link(out.safeName(displayUri(source, place)), linkTo(source, place));
}
