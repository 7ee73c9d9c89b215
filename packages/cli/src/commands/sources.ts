import { Exit } from '@trove/commands';

import { displayText, displayUri } from '../paths/display.js';
import { removeUploadedFolder } from '../paths/uploaded-folders.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { formatCount } from '../terminal/numbers.js';
import { renderPairs } from '../terminal/table.js';
import { readConfig } from './config-file.js';
import { optionsOf } from './parameters.js';

const targetArgument = {
  type: 'positional',
  completes: 'source',
  description: 'A local path or the URI of a source',
} as const;
// Not generated: the configuration is an object, which a file contains.
const configArgument = {
  type: 'string',
  valueHint: 'FILE',
  completes: 'file',
  description: 'TOML file with the configuration',
} as const;

export const remove = command({
  name: 'remove',
  description: 'Unregister a source and delete its index. The source itself is not affected',
  args: { target: targetArgument },
  examples: [{ command: 'trove remove ~/notes', does: 'remove a folder' }],
  async run(args, cli) {
    const target = toTarget(args.required('target'), cli.cwd, cli.uploadedFolders);
    const answer = await cli.client.connectors.removeConnector({ target });
    removeUploadedFolder(cli.home, { endpoint: cli.endpoint, uri: answer.target });
    if (cli.json) return cli.printJson(answer);
    await cli.out.line(`Removed ${cli.out.safeName(displayUri(answer.target, cli))}`);
  },
});

export const probe = command({
  name: 'probe',
  description: 'Check if a source can be reached, without registering it',
  args: { target: targetArgument, config: configArgument },
  notes: ['Exits with 1 if the source cannot be reached.'],
  examples: [{ command: 'trove probe ~/notes', does: 'check a folder' }],
  async run(args, cli) {
    const answer = await cli.client.connectors.probeConnector({
      body: {
        target: toTarget(args.required('target'), cli.cwd, cli.uploadedFolders),
        config: readConfig(args.text('config'), cli.cwd),
      },
    });
    if (cli.json) await cli.printJson(answer);
    else {
      await printPairs(cli, [
        ['source', displayUri(answer.target, cli)],
        ['type', answer.type],
        ['reachable', answer.ok ? 'yes' : 'no'],
        ['detail', displayText(answer.detail, cli)],
        ...(answer.code === null ? [] : [['code', answer.code] as const]),
      ]);
    }
    if (!answer.ok) throw new Exit(1);
  },
});

const estimateOptions = optionsOf('estimateConnector', {
  change: {
    since: { valueHint: 'WHEN', description: 'Count only what has changed since then' },
  },
});

export const estimate = command({
  name: 'estimate',
  description:
    'Estimate the work of indexing a source. Does not register it and calls no billed service',
  args: { target: targetArgument, config: configArgument, ...estimateOptions.args },
  examples: [
    { command: 'trove estimate ~/archive', does: 'estimate a large source before adding it' },
  ],
  async run(args, cli) {
    const answer = await cli.client.connectors.estimateConnector({
      body: {
        target: toTarget(args.required('target'), cli.cwd, cli.uploadedFolders),
        config: readConfig(args.text('config'), cli.cwd),
        ...estimateOptions.request(args),
      },
    });
    if (cli.json) return cli.printJson(answer);
    await printPairs(cli, [
      ['source', displayUri(answer.target, cli)],
      ['type', answer.type],
      [
        'objects',
        `${answer.complete ? '' : 'at least '}${formatCount(answer.objects)} (${formatCount(answer.sampled_objects)} sampled)`,
      ],
      ['chunks', `about ${formatCount(answer.est_chunks)}`],
      ['tokens', `about ${formatCount(answer.est_tokens)}`],
    ]);
  },
});

export const inspect = command({
  name: 'inspect',
  description: 'Show all data of a registered source. Secrets are hidden',
  args: { target: targetArgument },
  examples: [{ command: 'trove inspect ~/notes', does: 'show configuration, counts and jobs' }],
  async run(args, cli) {
    const target = toTarget(args.required('target'), cli.cwd, cli.uploadedFolders);
    const answer = await cli.client.connectors.inspectConnector({ target });
    if (cli.json) return cli.printJson(answer);
    await printPairs(
      cli,
      Object.entries(answer).map(([name, value]) => [
        name.replaceAll('_', ' '),
        displayText(describe(value), cli),
      ]),
    );
  },
});

async function printPairs(
  { out }: Cli,
  pairs: readonly (readonly [string, string])[],
): Promise<void> {
  for (const line of renderPairs(pairs)) await out.line(out.safeName(line));
}

/** Returns `indexed 12, failed 1` for an object of plain values, and JSON for nested values. */
function describe(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value);
  }
  const entries = Object.entries(value);
  return entries.every(([, item]) => typeof item !== 'object')
    ? entries.map(([key, item]) => `${key} ${String(item)}`).join(', ')
    : JSON.stringify(value);
}
