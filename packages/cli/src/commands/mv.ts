import { retryAfterRunningSync } from '../jobs/running-sync.js';
import { followJob, requireSuccess } from '../jobs/follow.js';
import { printSummary } from '../jobs/summary.js';
import { displayText, displayUri } from '../paths/display.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { withNotice } from '../terminal/notice.js';
import { readConfig } from './config-file.js';
import { optionsOf } from './parameters.js';

const options = optionsOf('moveConnector', {
  change: {
    force: { description: 'Move to a place that lacks most objects of the source' },
  },
});

export const mv = command({
  name: 'mv',
  description: 'Tell Trove that a source has moved. Does not move the source itself',
  args: {
    old: {
      type: 'positional',
      completes: 'source',
      description: 'The former path or URI of the source',
    },
    new: { type: 'positional', completes: 'file', description: 'Its new path or URI' },
    config: {
      type: 'string',
      valueHint: 'FILE',
      completes: 'file',
      description: 'TOML file with the keys of the configuration that change',
    },
    ...options.args,
    wait: {
      type: 'boolean',
      default: true,
      description: "Print the job's id and do not wait for the job",
    },
  },
  notes: [
    'Keeps the configuration, the schedule and the keys that --config does not name.',
    'Keeps the index and embeds no unchanged content again. A sync then reads what differs.',
    'Refuses a place that lacks most objects of the source, unless --force is given.',
    'Exits with 1 if the job failed or was cancelled, or if any object failed.',
  ],
  examples: [
    { command: 'trove mv ~/notes ~/documents/notes', does: 'follow a folder that was moved' },
    {
      command: 'trove mv postgres://db1/shop postgres://db2/shop',
      does: 'follow a database to another host',
    },
  ],
  async run(args, cli) {
    const body = {
      ...options.request(args),
      target: toTarget(args.required('old'), cli.cwd, cli.uploadedFolders),
      to: toTarget(args.required('new'), cli.cwd),
      config: readConfig(args.text('config'), cli.cwd),
    };
    const move = () =>
      withNotice(cli, 'Checking the new place …', () =>
        cli.client.connectors.moveConnector({ body }),
      );
    const wait = args.flag('wait');
    const answer = await (wait ? retryAfterRunningSync(cli, body.target, move) : move());
    if (!cli.json) await printNotes(cli, answer);
    if (!wait) {
      if (cli.json) return cli.printJson(answer);
      await cli.out.line(answer.job_id);
      return cli.err.line(`Follow it: trove job show ${answer.job_id} --watch`);
    }
    const job = await followJob(cli, answer.job_id);
    if (cli.json) await cli.printJson(job);
    else await printSummary(cli, job);
    requireSuccess(job);
  },
});

interface Notes {
  readonly target: string;
  readonly overlaps: readonly string[];
  readonly warnings: readonly string[];
}

async function printNotes(cli: Cli, { target, overlaps, warnings }: Notes): Promise<void> {
  const { err } = cli;
  await err.line(`Moved to ${err.safeName(displayUri(target, cli))}`);
  for (const uri of overlaps)
    await err.line(`warning: overlaps with ${err.safeName(displayUri(uri, cli))}`);
  for (const text of warnings) await err.line(`warning: ${err.safe(displayText(text, cli))}`);
}
