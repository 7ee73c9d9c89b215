import type { Command } from '@trove/commands';

import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { printContent } from './content.js';
import { optionsOf } from './parameters.js';

export const head = lines('head', 'first');
export const tail = lines('tail', 'last');

function lines(name: 'head' | 'tail', which: string): Command<Cli> {
  const options = optionsOf(name, { change: { n: { name: 'lines', alias: 'n' } } });
  return command({
    name,
    description: `Print the ${which} lines or records of an object`,
    args: {
      path: {
        type: 'positional',
        completes: 'object',
        description: 'A local path or the URI of an object',
      },
      ...options.args,
    },
    examples: [
      { command: `trove ${name} -n 5 data/events.jsonl`, does: `print the ${which} five lines` },
    ],
    async run(args, cli) {
      const parameters = {
        ...options.request(args),
        path: toTarget(args.required('path'), cli.cwd, cli.uploadedFolders),
      };
      const { browse } = cli.client;
      const response = await (name === 'head' ? browse.head(parameters) : browse.tail(parameters));
      await (cli.json ? cli.printJson(response) : printContent(cli, response));
    },
  });
}
