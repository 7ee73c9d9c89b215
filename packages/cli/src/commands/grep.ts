import { Exit, UsageError } from '@trove/commands';

import { splitArguments } from '../grep/arguments.js';
import { exceedsApiContext } from '../grep/blocks.js';
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
      description: 'Only what matches, each occurrence in a line of its own',
    },
    max_per_object: { name: 'max-count', alias: 'm' },
    context: { alias: 'C', description: 'Lines to show before and after each match' },
    limit: { description: 'Stop after so many matches in all' },
  },
});

export const grep = command({
  name: 'grep',
  description: 'Print the lines that contain a text or match a regular expression',
  args: {
    pattern: {
      type: 'positional',
      required: false,
      description: 'A literal text or, with --regex, a regular expression; with -e, a PATH',
    },
    path: {
      type: 'positional',
      required: false,
      repeats: true,
      completes: 'object',
      description: 'Search only these sources, folders or objects; without one, everywhere',
    },
    regexp: {
      type: 'string',
      alias: 'e',
      valueHint: 'PATTERN',
      repeats: true,
      description: 'A pattern; several are given as `-e A -e B`: the lines that match any of them',
    },
    ...options.args,
    'fixed-strings': {
      type: 'boolean',
      alias: 'F',
      description: 'The pattern is a literal text, which it is unless --regex is given',
    },
    'smart-case': {
      type: 'boolean',
      alias: 'S',
      description: 'Ignore case if the pattern has no capital letter',
    },
    'line-regexp': {
      type: 'boolean',
      alias: 'x',
      description: 'Only lines that match as a whole',
    },
    count: { type: 'boolean', alias: 'c', description: 'How many lines match in each file' },
    'files-with-matches': {
      type: 'boolean',
      alias: 'l',
      description: 'Only the paths of the files with a match',
    },
    quiet: { type: 'boolean', alias: 'q', description: 'Print nothing; the exit code tells' },
    'after-context': {
      type: 'string',
      alias: 'A',
      valueHint: 'N',
      description: 'Lines to show after each match',
    },
    'before-context': {
      type: 'string',
      alias: 'B',
      valueHint: 'N',
      description: 'Lines to show before each match',
    },
    ...pathFilterArgs,
    heading: {
      type: 'boolean',
      description: 'The path of each file once, above its lines',
    },
    'no-filename': { type: 'boolean', alias: 'I', description: 'Leave out the paths' },
    'no-line-number': { type: 'boolean', alias: 'N', description: 'Leave out the line numbers' },
    column: { type: 'boolean', description: 'Print the column, too, in which the match begins' },
    vimgrep: { type: 'boolean', description: 'The same: path:line:column:text, for editors' },
    null: {
      type: 'boolean',
      alias: '0',
      description: 'End paths with a NUL, for `xargs -0`, with -l and -c',
    },
    'line-number': { type: 'boolean', alias: 'n', description: 'No effect: it is always so' },
    recursive: { type: 'boolean', alias: 'r', description: 'No effect: it is always so' },
  },
  notes: [
    'Prints `path:line:text`; lines of context have `-` for `:`. Paths below the working directory are relative. ' +
      'Whatever was skipped or cut short is reported on stderr. `--json` prints one match per line, with its path and line.',
    'A regular expression means what it means in ripgrep: `\\w`, `\\d`, `\\s`, `\\b` cover all alphabets, `\\p{Han}` and ' +
      '`[[:space:]]` are classes, `(?i)` sets flags; look-around works, backreferences do not. Each line is matched ' +
      'on its own, without its line ending.',
    'Globs fit paths below PATH, or below the source. Files that are ignored stay ignored: `trove explain PATH` says why.',
    'Exits with 0 if something matched, 1 if nothing did, and 2 if there was an error.',
  ],
  errorExit: errorExitCode,
  examples: [
    { command: 'trove grep "TODO"', does: 'search all sources' },
    {
      command: `trove grep -E 'fetch\\w*\\(' ./src -C 2`,
      does: 'a regular expression, with context',
    },
    {
      command: "trove grep -il invoice -t md -g '!drafts'",
      does: 'the Markdown files with a word',
    },
    { command: 'trove grep -e TODO -e FIXME .', does: 'lines with one of two texts' },
    { command: 'trove grep -- "--help" .', does: 'a pattern that begins with a dash' },
  ],
  async run(args, cli) {
    const { texts, places } = splitArguments(args);
    const wholeLine = args.flag('line-regexp');
    const asked = { texts, regex: args.flag('regex'), wholeLine };
    if (asked.regex && args.flag('fixed-strings')) throw conflict('-E', '-F');
    const onlyMatching = args.flag('only-matching');
    if (onlyMatching && args.flag('invert-match')) throw conflict('-o', '-v');
    const pattern: GrepPattern = {
      ...combinePatterns(asked),
      ignore_case: args.flag('ignore-case') || (args.flag('smart-case') && isLowerCase(asked)),
    };
    const request = options.request(args);
    const both = request.context ?? 0;
    const isList = args.flag('files-with-matches') || args.flag('count') || args.flag('quiet');
    const margins = {
      before: isList || onlyMatching ? 0 : (args.integer('before-context') ?? both),
      after: isList || onlyMatching ? 0 : (args.integer('after-context') ?? both),
    };
    if (request.limit === 0) throw new UsageError('--limit must be at least 1');
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
      places.length === 0 ? [undefined] : places.map((path) => toTarget(path, cli.cwd, cli.sent));
    const matches = findMatches(cli, paths, query, request.limit ?? Infinity);
    const withPath = !args.flag('no-filename');
    const listing = { end: args.flag('null') ? '\0' : '\n', withPath };
    const print = async (): Promise<number> => {
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
        onlyMatching,
        pattern: args.flag('invert-match') ? undefined : toHighlightPattern(pattern),
      });
    };
    if ((await print()) > 0) return;
    const isPuzzling = !asked.regex && !args.flag('fixed-strings') && texts.some(looksLikeRegex);
    if (isPuzzling && !args.flag('quiet') && !cli.json) {
      await cli.err.line('note: the pattern was taken literally; -E makes it a regular expression');
    }
    throw new Exit(noMatchExitCode);
  },
});

function conflict(one: string, other: string): UsageError {
  return new UsageError(`${one} and ${other} exclude each other`);
}
