import type { Command } from '@trove/commands';

import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { printContent } from './content.js';

export const head = lines('head', 'first');
export const tail = lines('tail', 'last');

function lines(name: 'head' | 'tail', which: string): Command<Cli> {
  return command({
    name,
    description: `Print the ${which} lines or records of an object`,
    args: {
      path: {
        type: 'positional',
        completes: 'object',
        description: 'A local path or the URI of an object',
      },
      lines: {
        type: 'string',
        alias: 'n',
        valueHint: 'N',
        description: 'Number of lines or records (default 20)',
      },
    },
    examples: [{ command: `trove ${name} -n 5 data/events.jsonl`, does: `the ${which} five` }],
    async run(args, cli) {
      const parameters = {
        path: toTarget(args.required('path'), cli.cwd, cli.sent),
        n: args.integer('lines'),
      };
      const { browse } = cli.client;
      const response = await (name === 'head' ? browse.head(parameters) : browse.tail(parameters));
      await (cli.json ? cli.printJson(response) : printContent(cli, response));
    },
  });
}
