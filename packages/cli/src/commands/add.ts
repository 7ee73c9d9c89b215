import { command } from '../framework/command.js';
import { followJob, requireSuccess } from '../jobs/follow.js';
import { printSummary } from '../jobs/summary.js';
import { displayUri, shellQuote } from '../paths/display.js';
import { toTarget } from '../paths/target.js';
import { whileShowing } from '../terminal/notice.js';
import { readConfig } from './config-file.js';

export const add = command({
  name: 'add',
  description:
    'Register a folder or another source and index it; for one that is registered, sync it',
  args: {
    target: { type: 'positional', description: 'A local path, or the URI of a source' },
    config: { type: 'string', valueHint: 'FILE', description: 'TOML file with the configuration' },
    full: { type: 'boolean', description: 'Index everything again, also what has not changed' },
    since: {
      type: 'string',
      valueHint: 'WHEN',
      description: 'A date or cursor to sync from, where the source knows one',
    },
    update: { type: 'boolean', description: 'Replace the configuration of a registered source' },
    wait: {
      type: 'boolean',
      default: true,
      description: 'Do not wait: print the job and leave it to the server',
    },
    detach: { type: 'boolean', alias: 'd', description: 'The same as --no-wait' },
  },
  notes: [
    'Only new and changed objects are read again. Ctrl-C does not stop the job: `trove job cancel` does.',
    'Exits with 1 when the job failed, was cancelled, or an object of it failed.',
  ],
  examples: [
    { command: 'trove add .', does: 'index the folder you are in' },
    { command: 'trove add ~/notes --no-wait', does: 'index in the background' },
    {
      command: 'trove add ~/archive --config archive.toml',
      does: 'add a source with a configuration of its own',
    },
  ],
  async run(args, cli) {
    const body = {
      target: toTarget(args.required('target'), cli.cwd),
      config: readConfig(args.text('config'), cli.cwd),
      full: args.flag('full'),
      since: args.text('since') ?? null,
      process: false,
      update: args.flag('update'),
    };
    const { job_id } = await whileShowing(cli, 'Checking the source …', () =>
      cli.client.ingest.addSource({ body }),
    );
    if (args.flag('detach') || !args.flag('wait')) {
      if (cli.json) return cli.printJson({ job_id });
      await cli.out.line(job_id);
      return cli.err.line(`Watch it: trove job show ${job_id} --watch`);
    }
    const job = await followJob(cli, job_id);
    if (cli.json) await cli.printJson(job);
    else {
      await printSummary(cli, job);
      if (job.status === 'succeeded' || job.status === 'partial') {
        const where = shellQuote(displayUri(job.target ?? '', cli));
        await cli.err.line(`Next: trove search "what you look for" ${cli.err.safeName(where)}`);
      }
    }
    requireSuccess(job);
  },
});
