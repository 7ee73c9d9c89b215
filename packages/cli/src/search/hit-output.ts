import type { ResultEnvelope } from '@trove/client';

import { displayUri } from '../paths/display.js';
import { linkTo } from '../paths/link.js';
import { displayLocator, linesOf } from '../paths/locator.js';
import type { Cli } from '../session/cli.js';
import { excerptOf } from '../terminal/excerpt.js';
import { highlight } from '../terminal/highlight.js';
import { formatScore, plural } from '../terminal/numbers.js';
import { explanationLines } from './explanation-lines.js';

const maxSnippetLines = 6;
const maxLineChars = 300;
/** Maximum number of named duplicates. */
const maxCopies = 2;

/** Prints each hit with its object, its score and its best lines. Numbers hits on a terminal. */
export async function printHits(
  cli: Cli,
  hits: readonly ResultEnvelope[],
  words: readonly string[],
): Promise<void> {
  for (const [index, hit] of hits.entries()) {
    if (index > 0) await cli.out.line();
    await printHit(cli, hit, words, index + 1);
  }
}

async function printHit(
  cli: Cli,
  hit: ResultEnvelope,
  words: readonly string[],
  number: number,
): Promise<void> {
  const { out } = cli;
  const { style } = out;
  const place = `${displayUri(hit.source, cli)}${displayLocator(hit.locator)}`;
  const shown = out.link(
    style.bold(style.cyan(out.safeName(place))),
    linkTo(hit.source, cli, hit.metadata.url),
  );
  const score = hit.score === null ? '' : `  ${style.dim(formatScore(hit.score))}`;
  const title = hit.metadata.title === null ? '' : `  ${out.safeName(hit.metadata.title)}`;
  const numbered = out.isTerminal ? `${style.dim(String(number).padStart(2))}  ` : '';
  const part = out.safeName(describePart(hit));
  await out.line(`${numbered}${shown}${part}${score}${title}`);
  const { before, lines, after } = excerptOf(out.safe(hit.content), words, maxSnippetLines);
  if (before > 0) await out.line(`    ${style.dim(`… ${plural(before, 'line')} before`)}`);
  for (const line of lines) {
    await out.line(`    ${highlight(shorten(line, words, cli), words, style)}`.trimEnd());
  }
  if (after > 0) await out.line(`    ${style.dim(`… ${plural(after, 'line')} after`)}`);
  const copies = describeCopies(hit, cli);
  if (copies !== '') await out.line(`    ${style.dim(copies)}`);
  for (const line of explanationLines(hit)) await out.line(`    ${style.dim(out.safeName(line))}`);
}

/** Returns the other objects with the same text, or an empty text. */
function describeCopies({ metadata: { also } }: ResultEnvelope, cli: Cli): string {
  const places = also.slice(0, maxCopies).map((source) => displayUri(source, cli));
  const others = also.length - places.length;
  const list = [...places, ...(others === 0 ? [] : [`${others} more`])].join(', ');
  return list === '' ? '' : cli.out.safeName(`also in ${list}`);
}

/** Returns the page, slide or sheet of a hit, such as `  page 3`, or an empty text. */
function describePart({ metadata: { fields, media_type: type } }: ResultEnvelope): string {
  const kind = ['page', 'slide', 'sheet'].find((name) => name in fields);
  return kind === undefined || type === null ? '' : `  ${kind} ${String(fields[kind])}`;
}

/** Shortens a long line around the first word of the query. */
function shorten(line: string, words: readonly string[], { out }: Cli): string {
  const width = out.isTerminal ? Math.max(40, out.columns - 5) : maxLineChars;
  if (line.length <= width) return line;
  const position = findFirstWord(line, words) ?? 0;
  const start =
    position < (width * 2) / 3
      ? 0
      : Math.min(position - Math.floor(width / 3), line.length - width + 1);
  const end = start + width - (start > 0 ? 2 : 1);
  const part = line.slice(
    isInsidePair(line, start) ? start + 1 : start,
    isInsidePair(line, end) ? end - 1 : end,
  );
  return `${start > 0 ? '…' : ''}${part}${end < line.length ? '…' : ''}`;
}

function isInsidePair(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Returns the position of the first query word, ignoring case, or null. */
function findFirstWord(line: string, words: readonly string[]): number | null {
  const lower = line.toLowerCase();
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((at) => at !== -1);
  return places.length === 0 ? null : Math.min(...places);
}

/** Prints `path:line:column:text` of the best lines, for editors and fzf. */
export async function printVimgrep(
  cli: Cli,
  hits: readonly ResultEnvelope[],
  words: readonly string[],
): Promise<void> {
  const { out } = cli;
  for (const hit of hits) {
    const { line, column, text } = bestLine(hit, words);
    const path = out.safeName(displayUri(hit.source, cli));
    await out.line(`${path}:${line}:${column}:${out.safeName(text)}`);
  }
}

/** Prints each hit as one line of JSON, with its path and line number. */
export async function printJsonHits(
  cli: Cli,
  hits: readonly ResultEnvelope[],
  words: readonly string[],
): Promise<void> {
  for (const hit of hits) {
    const lines = linesOf(hit.locator);
    const line = lines === undefined ? null : bestLine(hit, words).line;
    const row = { path: displayUri(hit.source, cli), line, ...hit };
    await cli.out.line(cli.out.safe(JSON.stringify(row)));
  }
}

/** Prints the path of each object once, best first. */
export async function printPaths(
  cli: Cli,
  hits: readonly ResultEnvelope[],
  end: string,
): Promise<void> {
  const sources = hits.flatMap(({ source, metadata }) => [source, ...metadata.also]);
  for (const source of new Set(sources)) {
    const path = cli.out.safeName(displayUri(source, cli));
    await cli.out.write(`${cli.out.link(path, linkTo(source, cli))}${end}`);
  }
}

/** Returns the best line of a hit: its number (1 in a record), the column of the first query word, and its text. */
export function bestLine(
  { content, locator }: ResultEnvelope,
  words: readonly string[],
): { readonly line: number; readonly column: number; readonly text: string } {
  const { before, lines } = excerptOf(content, words, 1);
  const text = lines[0] ?? '';
  const line = (linesOf(locator)?.[0] ?? 1) + before;
  return { line, column: (findFirstWord(text, words) ?? 0) + 1, text };
}
