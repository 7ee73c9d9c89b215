import { Exit } from '@trove/commands';

import { displayUri } from '../paths/display.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { optionsOf } from './parameters.js';

const noMatchExitCode = 1;
const errorExitCode = 2;

const options = optionsOf('symbols', {
  omit: ['path', 'cursor'],
  change: { references: { alias: 'r' }, limit: {} },
});

export const symbols = command({
  name: 'symbols',
  description: 'Print the definitions of a name and the lines that use it',
  args: {
    name: {
      type: 'positional',
      description:
        'A name such as `parse`, `Parser.parse` or `func parse`, or a question about one',
    },
    path: {
      type: 'positional',
      required: false,
      completes: 'object',
      description: 'Search only this source, folder or object (default: everywhere)',
    },
    ...options.args,
  },
  notes: [
    'Prints `path:line:signature` for each definition, best first, then a blank line, then `path:line:text` for each line that uses the name. ' +
      'Definitions and lines come from the current texts. `--json` prints the answer of the API.',
    'Exits with 0 if there is a definition or a line, 1 if there is none, and 2 after an error.',
  ],
  errorExit: errorExitCode,
  examples: [
    { command: 'trove symbols main', does: 'find a function and its uses in all sources' },
    {
      command: 'trove symbols "where is main defined" ./src -r 0',
      does: 'find only its definition',
    },
  ],
  async run(args, cli) {
    const path = args.text('path');
    const response = await cli.client.retrieval.symbols({
      ...options.request(args),
      name: args.required('name'),
      path: path === undefined ? undefined : toTarget(path, cli.cwd, cli.uploadedFolders),
    });
    const { definitions, references, truncated, name } = response;
    const isEmpty = definitions.length === 0 && references.length === 0;
    if (cli.json) await cli.printJson(response);
    else {
      for (const { source, lines, signature } of definitions)
        await printLine(cli, source, lines[0] ?? 1, signature);
      if (definitions.length > 0 && references.length > 0) await cli.out.line('');
      for (const { source, line, text } of references) await printLine(cli, source, line, text);
      if (truncated) await cli.err.line('note: there are more; raise --limit or --references');
      if (isEmpty) await cli.err.line(`Nothing found for ${cli.err.safe(name)}`);
    }
    if (isEmpty) throw new Exit(noMatchExitCode);
  },
});

function printLine(cli: Cli, source: string, line: number, text: string): Promise<void> {
  const { out } = cli;
  const shown = out.safeName(displayUri(source, cli));
  return out.line(`${out.style.cyan(shown)}:${out.style.green(String(line))}:${out.safe(text)}`);
}
