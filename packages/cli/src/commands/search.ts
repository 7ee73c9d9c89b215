import type { ResultEnvelope } from '@trove/client';

import { command } from '../framework/command.js';
import { displayUri } from '../paths/display.js';
import { displayLocator, linesOf } from '../paths/locator.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { excerpt } from '../terminal/excerpt.js';
import { highlight, wordsOf } from '../terminal/highlight.js';
import { plural } from '../terminal/numbers.js';

const MODES = ['hybrid', 'semantic', 'keyword'] as const;
const SNIPPET_LINES = 6;
const LONGEST_LINE = 300;

export const search = command({
  name: 'search',
  description: 'Search by meaning and by words, best hits first',
  args: {
    question: { type: 'positional', description: 'What to look for: words or a question' },
    path: {
      type: 'positional',
      required: false,
      description: 'Search only this source, folder or object; without it, everywhere',
    },
    mode: {
      type: 'string',
      valueHint: MODES.join('|'),
      description: 'By meaning, by words, or both (default hybrid)',
    },
    'top-k': {
      type: 'string',
      alias: 'k',
      valueHint: 'N',
      description: 'Maximum number of hits (default 10)',
    },
    offset: { type: 'string', valueHint: 'N', description: 'Number of top hits to skip' },
    collapse: { type: 'boolean', description: 'Only the best hit of each object' },
    kind: { type: 'string', valueHint: 'KINDS', description: 'Chunk kinds, separated by commas' },
    filter: {
      type: 'string',
      valueHint: 'FILTER',
      description: 'A condition on path, media_type, chunk_kind, modified_at or a metadata field',
    },
  },
  notes: [
    'Each hit is shown with its object, its lines, its score (how well it fits, from 0 to 1) and the lines of its ' +
      'text that fit best. Exits with 0 even if nothing was found.',
  ],
  examples: [
    { command: 'trove search "how are tokens rotated"', does: 'ask all sources' },
    { command: 'trove search "retry policy" ./docs -k 3', does: 'three hits from one folder' },
    {
      command: `trove search invoice --filter 'media_type = "text/markdown"'`,
      does: 'only in Markdown',
    },
  ],
  async run(args, cli) {
    const question = args.required('question');
    const path = args.text('path');
    const response = await cli.client.retrieval.search({
      q: question,
      path: path === undefined ? undefined : toTarget(path, cli.cwd),
      mode: args.oneOf('mode', MODES),
      top_k: args.integer('top-k'),
      offset: args.integer('offset'),
      collapse: args.flag('collapse') || undefined,
      kind: args.text('kind'),
      filter: args.text('filter'),
    });
    if (cli.json) return cli.printJson(response);
    const words = wordsOf(question);
    for (const [index, hit] of response.results.entries()) {
      if (index > 0) await cli.out.line();
      await printHit(cli, hit, words);
    }
    await printHint(cli, response.results);
  },
});

async function printHit(cli: Cli, hit: ResultEnvelope, words: readonly string[]): Promise<void> {
  const { out } = cli;
  const { style } = out;
  const place = `${displayUri(hit.source, cli)}${displayLocator(hit.locator)}`;
  const score = hit.score === null ? '' : `  ${style.dim(hit.score.toFixed(2))}`;
  const title = hit.metadata.title === null ? '' : `  ${out.safeName(hit.metadata.title)}`;
  await out.line(`${style.bold(style.cyan(out.safeName(place)))}${score}${title}`);
  const { before, lines, after } = excerpt(out.safe(hit.content), words, SNIPPET_LINES);
  if (before > 0) await out.line(`    ${style.dim(`… ${plural(before, 'line')} before`)}`);
  for (const line of lines) {
    await out.line(`    ${highlight(shorten(line, cli), words, style)}`.trimEnd());
  }
  if (after > 0) await out.line(`    ${style.dim(`… ${plural(after, 'line')} after`)}`);
}

/** A hit takes only a few lines, however long the lines of its object are. */
function shorten(line: string, { out }: Cli): string {
  const width = out.isTerminal ? Math.max(40, out.columns - 5) : LONGEST_LINE;
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}

async function printHint(cli: Cli, results: readonly ResultEnvelope[]): Promise<void> {
  const [first] = results;
  if (first === undefined) {
    await cli.err.line('Nothing found. `trove status` shows what is indexed.');
  } else if (cli.out.isTerminal) {
    const lines = linesOf(first.locator);
    const range = lines === undefined ? '' : ` --range ${lines[0]}:${lines[1]}`;
    const path = cli.err.safeName(displayUri(first.source, cli));
    await cli.err.line(`\n${cli.err.style.dim(`Read on: trove cat ${path}${range}`)}`);
  }
}
