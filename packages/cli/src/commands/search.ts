import { TroveApiError } from '@trove/client';
import { rememberHits } from '../open/last-hits.js';
import { displayText, displayUri, shellQuote } from '../paths/display.js';
import { linesOf } from '../paths/locator.js';
import { toTarget } from '../paths/target.js';
import {
  bestLine,
  printHits,
  printJsonHits,
  printPaths,
  printVimgrep,
} from '../search/hit-output.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { wordsOf } from '../terminal/highlight.js';
import { pathFilterArgs, pathFilterOf } from './path-filter.js';
import { optionsOf } from './parameters.js';

const options = optionsOf('search', {
  omit: ['path', 'glob', 'type'],
  change: {
    top_k: { alias: 'k' },
    kind: { valueHint: 'KINDS' },
  },
});

export const search = command({
  name: 'search',
  description: 'Search by meaning and by words, best hits first',
  args: {
    question: {
      type: 'positional',
      parameter: 'q',
      description: 'Words or a question',
    },
    path: {
      type: 'positional',
      required: false,
      completes: 'object',
      description: 'Search only this source, folder or object (default: everywhere)',
    },
    ...options.args,
    ...pathFilterArgs,
    files: {
      type: 'boolean',
      alias: 'l',
      description: 'Print only the paths of the files, best first',
    },
    vimgrep: {
      type: 'boolean',
      description: 'Print path:line:column:text, one hit per line, for editors and fzf',
    },
    null: {
      type: 'boolean',
      alias: '0',
      description: 'End paths with NUL for `xargs -0`, with -l',
    },
  },
  notes: [
    'Each hit has its object, its lines, its relevance score from 0 to 1, and the most relevant lines of its ' +
      'text. On a terminal it also has a number for `trove open`. `--json` prints one hit ' +
      'per line, with its path and line. `--explain` adds lines about the rank of each hit. Exits with 0 even if nothing was found.',
  ],
  examples: [
    { command: 'trove search "how are tokens rotated"', does: 'search all sources' },
    { command: 'trove search "retry policy" ./docs -k 3', does: 'find three hits in one folder' },
    { command: "trove search invoice -t md -g '!drafts'", does: 'search only some files' },
    {
      command: 'trove search "rate limit" --since 7d --sort modified',
      does: 'search objects of the last week, newest first',
    },
    {
      command: 'trove search "retry policy" --explain',
      does: 'show how the rank of each hit came about',
    },
    {
      command: `trove search invoice --filter 'media_type = "text/markdown"'`,
      does: 'search only Markdown',
    },
  ],
  async run(args, cli) {
    const question = args.required('question');
    const path = args.text('path');
    const target = path === undefined ? undefined : toTarget(path, cli.cwd, cli.uploadedFolders);
    const {
      results,
      metadata,
      next_offset: next,
      reason,
    } = await cli.client.retrieval.search({
      ...options.request(args),
      ...pathFilterOf(args),
      q: question,
      path: target,
      ...(args.flag('files') ? { collapse: true } : {}),
    });
    const answered = metadata?.showing_results_for;
    if (answered !== undefined) await cli.err.line(`showing results for ${answered}`);
    if (next !== undefined)
      await cli.err.line(`More hits were left out. Continue with --offset ${next}.`);
    const words = wordsOf(answered ?? question);
    if (cli.json) return printJsonHits(cli, results, words);
    if (results.length === 0) {
      const suggestion =
        path === undefined
          ? '`trove status` shows what is indexed.'
          : `\`trove explain ${shellQuote(path)}\` tells if it is indexed.`;
      const text =
        reason === undefined
          ? `Nothing found. ${suggestion}`
          : `Nothing found. ${displayText(reason, cli)}`;
      await cli.err.line(cli.err.safeName(text));
      return printFailingSources(cli, target);
    }
    if (args.flag('files')) return printPaths(cli, results, args.flag('null') ? '\0' : '\n');
    if (args.flag('vimgrep')) return printVimgrep(cli, results, words);
    await printHits(cli, results, words);
    if (!cli.out.isTerminal) return;
    const hits = results.map((hit) => {
      const hasLines = linesOf(hit.locator) !== undefined;
      return { source: hit.source, line: hasLines ? bestLine(hit, words).line : null };
    });
    rememberHits(cli.home, hits);
    await cli.err.line(`\n${cli.err.style.dim('Open a hit in your editor: trove open 1')}`);
  },
});

/** Prints the searched sources that have an error, because their objects may be missing from the index. */
async function printFailingSources(cli: Cli, target: string | undefined): Promise<void> {
  for (const { root, problem } of await failingSources(cli, target)) {
    const source = cli.err.safeName(displayUri(root, cli));
    const reason = cli.err.safeName(displayText(problem, cli));
    await cli.err.line(`${cli.err.style.red('Problem')} ${source}: ${reason}`);
  }
}

async function failingSources(
  { client }: Cli,
  target: string | undefined,
): Promise<{ readonly root: string; readonly problem: string }[]> {
  const { connectors } = await client.server.status();
  const own = target === undefined ? null : await rootOf(client, target);
  return connectors.flatMap(({ root_uri: root, error, detail }) =>
    error === null || (own !== null && root !== own)
      ? []
      : [{ root, problem: `${error}: ${detail ?? ''}` }],
  );
}

/** Returns the root of the source that contains a target, or null for a folder above several sources. */
async function rootOf(client: Cli['client'], target: string): Promise<unknown> {
  try {
    return (await client.connectors.inspectConnector({ target }))['root_uri'];
  } catch (error) {
    if (error instanceof TroveApiError && error.code === 'not_found') return null;
    throw error;
  }
}
