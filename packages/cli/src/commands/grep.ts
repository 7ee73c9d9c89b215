import type { GrepMatch } from '@trove/client';

import { Exit } from '../failure.js';
import { command } from '../framework/command.js';
import { displayText, displayUri } from '../paths/display.js';
import { linesOf } from '../paths/locator.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { highlightMatches } from '../terminal/highlight.js';

export const grep = command({
  name: 'grep',
  description: 'Print the lines that contain a text or match a regular expression',
  args: {
    pattern: {
      type: 'positional',
      description: 'A literal text or, with --regex, a regular expression',
    },
    path: {
      type: 'positional',
      required: false,
      description: 'Search only this source, folder or object; without it, everywhere',
    },
    regex: {
      type: 'boolean',
      alias: 'E',
      description: "The pattern is a regular expression, in ripgrep's syntax",
    },
    'ignore-case': {
      type: 'boolean',
      alias: 'i',
      description: 'Ignore the difference between upper and lower case',
    },
    context: {
      type: 'string',
      alias: 'C',
      valueHint: 'N',
      description: 'Lines to show before and after each match (0 to 10)',
    },
    limit: {
      type: 'string',
      alias: 'm',
      valueHint: 'N',
      description: 'Maximum number of matches (default 1000)',
    },
  },
  notes: [
    'Prints `path:line:text`; lines of context have `-` for `:`. Paths below the working directory are relative. ' +
      'Whatever was skipped or cut short is reported on stderr.',
    'A regular expression means what it means in ripgrep: `\\w`, `\\d`, `\\s`, `\\b` cover all alphabets, `\\p{Han}` and ' +
      '`[[:space:]]` are classes, `(?i)` sets flags; look-around works, backreferences do not. Each line is matched ' +
      'on its own, without its line ending.',
    'Exits with 0 if something matched, 1 if nothing did or the search failed, and 2 if the command line was wrong.',
  ],
  examples: [
    { command: 'trove grep "TODO"', does: 'search all sources' },
    {
      command: `trove grep -E 'fetch\\w*\\(' ./src -C 2`,
      does: 'a regular expression, with context',
    },
    { command: 'trove grep -- "--help" .', does: 'a pattern that begins with a dash' },
  ],
  async run(args, cli) {
    const path = args.text('path');
    const query = {
      pattern: args.required('pattern'),
      regex: args.flag('regex'),
      ignore_case: args.flag('ignore-case'),
    };
    const response = await cli.client.retrieval.grep({
      ...query,
      path: path === undefined ? undefined : toTarget(path, cli.cwd),
      context: args.integer('context'),
      limit: args.integer('limit'),
    });
    const matches = response.results.filter(({ via }) => via !== 'notice');
    if (cli.json) await cli.printJson(response);
    else {
      const pattern = matcher(query);
      const separated = (args.integer('context') ?? 0) > 0;
      for (const [index, match] of matches.entries()) {
        if (separated && index > 0) await cli.out.line('--');
        await printMatch(cli, match, pattern);
      }
      for (const notice of response.results.filter(({ via }) => via === 'notice')) {
        await cli.err.line(`note: ${cli.err.safe(displayText(notice.content, cli))}`);
      }
      if (response.truncated) await cli.err.line('note: there are more matches; see --limit');
    }
    if (matches.length === 0) throw new Exit(1);
  },
});

async function printMatch(cli: Cli, match: GrepMatch, pattern: RegExp | undefined): Promise<void> {
  const { out } = cli;
  const source = out.style.cyan(out.safeName(displayUri(match.source ?? '', cli)));
  const lines = linesOf(match.locator);
  const texts = match.content.replace(/\r?\n$/, '').split('\n');
  const isMatch = (text: string): boolean => pattern === undefined || text.search(pattern) !== -1;
  // If this regular expression engine disagrees with the server's, a line is shown as a match rather than as context.
  const understood = texts.some(isMatch);
  for (const [index, text] of texts.entries()) {
    const matched = !understood || isMatch(text);
    const mark = matched ? ':' : '-';
    const place = lines === undefined ? JSON.stringify(match.locator) : String(lines[0] + index);
    const shown = out.safe(text);
    const line = out.isTerminal && pattern ? highlightMatches(shown, pattern, out.style) : shown;
    await out.line(`${source}${mark}${out.style.green(out.safeName(place))}${mark}${line}`);
  }
}

interface Query {
  readonly pattern: string;
  readonly regex: boolean;
  readonly ignore_case: boolean;
}

/** The pattern as a JavaScript expression: only for display, never to decide what matches. */
function matcher({ pattern, regex, ignore_case }: Query): RegExp | undefined {
  const source = regex ? pattern : pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  try {
    return new RegExp(source, ignore_case ? 'gi' : 'g');
  } catch {
    return undefined;
  }
}
