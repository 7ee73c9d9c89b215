import type { GrepMatch } from '@trove/client';
import { type Arguments, Exit, UsageError } from '@trove/commands';

import { splitArguments } from '../grep/arguments.js';
import { exceedsApiContext, type Margins } from '../grep/blocks.js';
import { printCounts, printJsonLines, printPaths } from '../grep/list-output.js';
import { findMatches } from '../grep/pages.js';
import {
  combinePatterns,
  toHighlightPattern,
  isLowerCase,
  looksLikeRegex,
  type GrepPattern,
} from '../grep/pattern.js';
import { printLines } from '../grep/line-output.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { pathFilterArgs, pathFilterOf } from './path-filter.js';
import { optionsOf } from './parameters.js';

const noMatchExitCode = 1;
const errorExitCode = 2;

const options = optionsOf('grep', {
  omit: ['path', 'glob', 'type', 'cursor'],
  change: {
    regex: { alias: 'E' },
    ignore_case: { alias: 'i' },
    word: { name: 'word-regexp', alias: 'w' },
    invert: { name: 'invert-match', alias: 'v' },
    only_matching: {
      alias: 'o',
      description: 'Print only the matching text, one occurrence per line',
    },
    max_per_object: { name: 'max-count', alias: 'm' },
    context: { alias: 'C', description: 'Lines of context before and after each match' },
    limit: { description: 'Stop after this number of matches' },
  },
});

export const grep = command({
  name: 'grep',
  description: 'Print lines that contain a text or match a regular expression',
  args: {
    pattern: {
      type: 'positional',
      required: false,
      description: 'A literal text or, with --regex, a regular expression. With -e, a PATH',
    },
    path: {
      type: 'positional',
      required: false,
      repeats: true,
      completes: 'object',
      description: 'Search only these sources, folders or objects (default: everywhere)',
    },
    regexp: {
      type: 'string',
      alias: 'e',
      valueHint: 'PATTERN',
      repeats: true,
      description: 'A pattern. Repeat it (`-e A -e B`) to find lines that match any of them',
    },
    ...options.args,
    'fixed-strings': {
      type: 'boolean',
      alias: 'F',
      description: 'Treat the pattern as a literal text. Default unless --regex is given',
    },
    'smart-case': {
      type: 'boolean',
      alias: 'S',
      description: 'Ignore case if the pattern has no capital letter',
    },
    'line-regexp': {
      type: 'boolean',
      alias: 'x',
      description: 'Match only whole lines',
    },
    count: {
      type: 'boolean',
      alias: 'c',
      description: 'Print the number of matching lines of each file',
    },
    'files-with-matches': {
      type: 'boolean',
      alias: 'l',
      description: 'Print only the paths of files with a match',
    },
    quiet: { type: 'boolean', alias: 'q', description: 'Print nothing; use the exit code' },
    'after-context': {
      type: 'string',
      alias: 'A',
      valueHint: 'N',
      description: 'Lines of context after each match',
    },
    'before-context': {
      type: 'string',
      alias: 'B',
      valueHint: 'N',
      description: 'Lines of context before each match',
    },
    ...pathFilterArgs,
    heading: {
      type: 'boolean',
      description: 'Print the path of each file once, above its lines',
    },
    'no-filename': { type: 'boolean', alias: 'I', description: 'Omit paths' },
    'no-line-number': { type: 'boolean', alias: 'N', description: 'Omit line numbers' },
    column: { type: 'boolean', description: 'Also print the column of the match' },
    vimgrep: { type: 'boolean', description: 'Print path:line:column:text, for editors' },
    null: {
      type: 'boolean',
      alias: '0',
      description: 'End paths with NUL for `xargs -0`, with -l and -c',
    },
    'line-number': { type: 'boolean', alias: 'n', description: 'No effect: this is the default' },
    recursive: { type: 'boolean', alias: 'r', description: 'No effect: this is the default' },
  },
  notes: [
    'Prints `path:line:text`, with `-` instead of `:` for lines of context. Paths below the working directory are relative. ' +
      'Skipped objects and limits are reported on stderr. `--json` prints one match per line, with its path and line.',
    'The syntax of regular expressions is that of ripgrep. `\\w`, `\\d`, `\\s` and `\\b` cover all alphabets. `\\p{Han}` and ' +
      '`[[:space:]]` are classes, and `(?i)` sets flags. Look-around works, backreferences do not. Each line is matched ' +
      'on its own, without its line ending.',
    'Globs match paths below PATH, or below the source. Ignored files stay ignored; `trove explain PATH` tells why.',
    'Exits with 0 if a line matched, 1 if none did, and 2 after an error.',
  ],
  errorExit: errorExitCode,
  examples: [
    { command: 'trove grep "TODO"', does: 'search all sources' },
    {
      command: `trove grep -E 'fetch\\w*\\(' ./src -C 2`,
      does: 'search for a regular expression, with context',
    },
    {
      command: "trove grep -il invoice -t md -g '!drafts'",
      does: 'list Markdown files that contain a word',
    },
    { command: 'trove grep -e TODO -e FIXME .', does: 'find lines with either text' },
    { command: 'trove grep -- "--help" .', does: 'search for a text that begins with a dash' },
  ],
  async run(args, cli) {
    const { texts, places } = splitArguments(args);
    const wholeLine = args.flag('line-regexp');
    const patterns = { texts, regex: args.flag('regex'), wholeLine };
    if (patterns.regex && args.flag('fixed-strings')) throw conflict('-E', '-F');
    if (args.flag('only-matching') && args.flag('invert-match')) throw conflict('-o', '-v');
    const pattern: GrepPattern = {
      ...combinePatterns(patterns),
      ignore_case: args.flag('ignore-case') || (args.flag('smart-case') && isLowerCase(patterns)),
    };
    const request = options.request(args);
    if (request.limit === 0) throw new UsageError('--limit must be at least 1');
    const margins = marginsOf(args, request.context ?? 0);
    const query = {
      ...request,
      ...pattern,
      ...pathFilterOf(args),
      ...(wholeLine ? { word: undefined } : {}),
      context: exceedsApiContext(margins)
        ? undefined
        : Math.max(margins.before, margins.after) || undefined,
      ...(args.flag('files-with-matches') || args.flag('quiet') ? { max_per_object: 1 } : {}),
    };
    const paths =
      places.length === 0
        ? [undefined]
        : places.map((path) => toTarget(path, cli.cwd, cli.uploadedFolders));
    const matches = findMatches(cli, paths, query, request.limit ?? Infinity);
    if ((await printMatches(cli, args, matches, { margins, pattern })) > 0) return;
    const isPuzzling = !patterns.regex && !args.flag('fixed-strings') && texts.some(looksLikeRegex);
    if (isPuzzling && !args.flag('quiet') && !cli.json) {
      await cli.err.line('note: the pattern is a literal text; -E makes it a regular expression');
    }
    throw new Exit(noMatchExitCode);
  },
});

/** Returns the lines of context around a match. Lists and matching texts have none. */
function marginsOf(
  args: Arguments<
    'files-with-matches' | 'count' | 'quiet' | 'only-matching' | 'before-context' | 'after-context'
  >,
  both: number,
): Margins {
  const withoutContext = ['files-with-matches', 'count', 'quiet', 'only-matching'] as const;
  if (withoutContext.some((name) => args.flag(name))) return { before: 0, after: 0 };
  return {
    before: args.integer('before-context') ?? both,
    after: args.integer('after-context') ?? both,
  };
}

/** Prints matches in the format that the options select. Returns a number above 0 if there were any. */
async function printMatches(
  cli: Cli,
  args: Arguments<
    | 'files-with-matches'
    | 'count'
    | 'quiet'
    | 'only-matching'
    | 'invert-match'
    | 'no-filename'
    | 'no-line-number'
    | 'null'
    | 'heading'
    | 'column'
    | 'vimgrep'
  >,
  matches: AsyncGenerator<GrepMatch, void, undefined>,
  { margins, pattern }: { readonly margins: Margins; readonly pattern: GrepPattern },
): Promise<number> {
  const withPath = !args.flag('no-filename');
  const listing = { end: args.flag('null') ? '\0' : '\n', withPath };
  if (args.flag('quiet')) return (await matches.next()).done === true ? 0 : 1;
  if (cli.json) return printJsonLines(cli, matches);
  if (args.flag('files-with-matches')) return printPaths(cli, matches, listing);
  if (args.flag('count')) return printCounts(cli, matches, listing);
  return printLines(cli, matches, {
    margins,
    withPath,
    withHeading: args.flag('heading') && withPath,
    withNumber: !args.flag('no-line-number'),
    withColumn: args.flag('column') || args.flag('vimgrep'),
    onlyMatching: args.flag('only-matching'),
    pattern: args.flag('invert-match') ? undefined : toHighlightPattern(pattern),
  });
}

function conflict(one: string, other: string): UsageError {
  return new UsageError(`${one} and ${other} cannot be combined`);
}
