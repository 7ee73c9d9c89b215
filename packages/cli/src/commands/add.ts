import { type JobResponse, TroveApiError } from '@trove/client';

import { command } from '../framework/command.js';
import { followJob, requireSuccess } from '../jobs/follow.js';
import { printSummary } from '../jobs/summary.js';
import { displayText, displayUri, shellQuote } from '../paths/display.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { whileShowing } from '../terminal/notice.js';
import { readConfig } from './config-file.js';
import { confirmWide } from './confirm-wide.js';
import { registeredAs } from './registered.js';

/** How many sources are named in one line. */
const NAMED_AT_MOST = 5;

export const add = command({
  name: 'add',
  description:
    'Register a folder or another source and index it; if it is registered already, sync it',
  args: {
    target: { type: 'positional', description: 'A local path, or the URI of a source' },
    config: { type: 'string', valueHint: 'FILE', description: 'TOML file with the configuration' },
    full: { type: 'boolean', description: 'Index everything again, even what has not changed' },
    since: {
      type: 'string',
      valueHint: 'WHEN',
      description: 'A date or cursor to sync from, if the source supports one',
    },
    update: { type: 'boolean', description: 'Replace the configuration of a registered source' },
    wait: {
      type: 'boolean',
      default: true,
      description: "Do not wait: print the job's id and leave the work to the server",
    },
    yes: {
      type: 'boolean',
      alias: 'y',
      description: 'Do not ask before adding a very large folder',
    },
    detach: { type: 'boolean', alias: 'd', description: 'The same as --no-wait' },
  },
  notes: [
    'Only new and changed objects are read. Ctrl-C does not stop the job: `trove job cancel` does.',
    'If the source is already being synced, the command waits for that to end and then syncs it once more.',
    'Sources may overlap; the command says so when it adds one. What two of them share appears as one hit.',
    'Asks before it adds a home folder, a whole disk or the whole machine; without a terminal it refuses, unless given -y.',
    'Exits with 1 if the job failed or was cancelled, or if any object failed.',
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
    if (!args.flag('yes')) await confirmWide(body.target, cli);
    const wait = args.flag('wait') && !args.flag('detach');
    const ask = () =>
      whileShowing(cli, 'Checking the source …', () => cli.client.ingest.addSource({ body }));
    const answer = await (wait ? afterRunningSync(cli, body.target, ask) : ask());
    const { job_id, overlaps, warnings } = answer;
    await sayOverlaps(cli, body.target, overlaps);
    await sayWarnings(cli, warnings);
    if (!wait) {
      if (cli.json) return cli.printJson(answer);
      await cli.out.line(job_id);
      return cli.err.line(`Watch it: trove job show ${job_id} --watch`);
    }
    const job = await followJob(cli, job_id);
    if (cli.json) await cli.printJson(job);
    else {
      await printSummary(cli, job);
      if (job.status === 'succeeded' || (job.status === 'partial' && (job.chunks ?? 0) > 0)) {
        const where = shellQuote(displayUri(job.target ?? '', cli));
        await cli.err.line(`Next: trove search "what you look for" ${cli.err.safeName(where)}`);
      }
    }
    requireSuccess(job);
  },
});

/** Once, while the source is new. */
async function sayOverlaps(cli: Cli, target: string, overlaps: readonly string[]): Promise<void> {
  if (cli.json || overlaps.length === 0) return;
  const source = await registeredAs(target, cli);
  if (source !== undefined && source.last_synced_at !== null) return;
  const named = overlaps
    .slice(0, NAMED_AT_MOST)
    .map((uri) => cli.err.safeName(displayUri(uri, cli)));
  const more = overlaps.length - named.length;
  const names = more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
  await cli.err.line(
    `Overlaps with ${names}: what both contain is indexed for each, and appears as one hit.`,
  );
}

async function sayWarnings(cli: Cli, warnings: readonly string[]): Promise<void> {
  if (cli.json) return;
  for (const text of warnings)
    await cli.err.line(`warning: ${cli.err.safe(displayText(text, cli))}`);
}

/** What changed meanwhile may have been met by the running sync too early, so another one follows it. */
async function afterRunningSync<T>(cli: Cli, target: string, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const running = isRunningAlready(error) ? await newestJob(cli, target) : undefined;
      if (running === undefined) throw error;
      await cli.err.line(
        `${cli.err.safeName(displayUri(running.target ?? target, cli))} is already being synced (${running.id}); it will be synced once more after that.`,
      );
      await followJob(cli, running.id);
    }
  }
}

function isRunningAlready(error: unknown): boolean {
  return error instanceof TroveApiError && error.code === 'sync_already_running';
}

/** The job that was in the way; it may have ended in the meantime. */
async function newestJob(cli: Cli, target: string): Promise<JobResponse | undefined> {
  const [newest] = await cli.client.ingest.listJobs({ target, limit: 1 });
  return newest;
}
