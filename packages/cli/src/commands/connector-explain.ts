import type { ExplainedRequest } from '@trove/client';

import { displayUri } from '../paths/display.js';
import { toTarget } from '../paths/target.js';
import { command } from '../session/command.js';
import { readConfig } from './config-file.js';
import { optionsOf } from './parameters.js';

const options = optionsOf('explainConnector', {
  change: { full: { description: 'Show a full sync, although the source has been synced' } },
});

export const explain = command({
  name: 'explain',
  description: 'Show the requests that the next sync of a source makes, without making one',
  args: {
    target: {
      type: 'positional',
      completes: 'source',
      description: 'The URI of a source, registered or not',
    },
    config: {
      type: 'string',
      valueHint: 'FILE',
      completes: 'file',
      description: 'TOML file with the configuration. Default: that of the registered source',
    },
    ...options.args,
  },
  notes: [
    'Values in braces, such as {id}, come from answers. Logins and headers are not shown.',
    'Only connectors of web services can tell their requests.',
  ],
  examples: [
    {
      command: 'trove connector explain jira://acme/OPS --config jira.toml',
      does: 'show what a first sync would request',
    },
    {
      command: 'trove connector explain jira://acme/OPS',
      does: 'show how a registered source finds changes',
    },
  ],
  async run(args, cli) {
    const answer = await cli.client.connectors.explainConnector({
      body: {
        target: toTarget(args.required('target'), cli.cwd, cli.uploadedFolders),
        config: readConfig(args.text('config'), cli.cwd),
        ...options.request(args),
      },
    });
    if (cli.json) return cli.printJson(answer);
    const { out } = cli;
    const source = displayUri(answer.target, cli);
    const title = answer.incremental
      ? `The next sync of ${source} requests what has changed since the last one:`
      : `The next sync of ${source} lists everything:`;
    await out.line(out.safe(title));
    for (const request of answer.requests)
      for (const line of linesOf(request)) await out.line(out.safe(line));
  },
});

function linesOf({ name, request, body, repeats, paged }: ExplainedRequest): string[] {
  const title = [name, ...(repeats === null ? [] : [repeats]), ...(paged ? ['page by page'] : [])];
  return [title.join(', '), `  ${request}`, ...(body === null ? [] : [`  ${body}`])];
}
