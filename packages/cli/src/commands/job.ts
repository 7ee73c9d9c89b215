import type { JobResponse } from '@trove/client';
import { Exit, group } from '@trove/commands';

import { followJob, requireSuccess } from '../jobs/follow.js';
import { formatCounts, formatElapsed, printReasons } from '../jobs/summary.js';
import { displayUri } from '../paths/display.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { formatAge, formatCount } from '../terminal/numbers.js';
import { renderPairs, renderTable } from '../terminal/table.js';
import { optionsOf } from './parameters.js';

const maxReasons = 20;
const jobIdArgument = {
  type: 'positional',
  parameter: 'job_id',
  completes: 'job',
  description: 'The id of a job',
} as const;

const listOptions = optionsOf('listJobs', {
  change: { limit: { alias: 'n' }, target: { valueHint: 'PATH', completes: 'source' } },
});

const list = command({
  name: 'list',
  description: 'List jobs, newest first',
  args: {
    ...listOptions.args,
  },
  notes: ['A narrow terminal omits some columns. `trove job show` prints all data of a job.'],
  examples: [{ command: 'trove job list --status failed', does: 'list failed jobs' }],
  async run(args, cli) {
    const { target, ...request } = listOptions.request(args);
    const jobs = await cli.client.ingest.listJobs({
      ...request,
      target: target === undefined ? undefined : toTarget(target, cli.cwd, cli.uploadedFolders),
    });
    if (cli.json) return cli.printJson(jobs);
    if (jobs.length === 0) return cli.err.line('No jobs.');
    const rows = jobs.map((job) => [
      job.id,
      job.status,
      formatCount(job.added),
      formatCount(job.changed),
      formatCount(job.removed),
      formatCount(job.failed_objects),
      formatAge(job.created_at),
      job.started_at === null ? '' : formatElapsed(job),
      cli.out.safeName(displayUri(job.target ?? '', cli)),
    ]);
    const lines = renderTable(
      [
        { title: 'JOB' },
        { title: 'STATUS' },
        { title: 'ADDED', align: 'right', narrow: 'left-out' },
        { title: 'CHANGED', align: 'right', narrow: 'left-out' },
        { title: 'REMOVED', align: 'right', narrow: 'left-out' },
        { title: 'FAILED', align: 'right' },
        { title: 'CREATED' },
        { title: 'TOOK', narrow: 'left-out' },
        { title: 'SOURCE', narrow: 'shortened' },
      ],
      rows,
      cli.out.isTerminal ? cli.out.columns : undefined,
    );
    for (const line of lines) await cli.out.line(line);
  },
});

const show = command({
  name: 'show',
  description: 'Show a job with its counts and failures',
  args: {
    id: jobIdArgument,
    watch: { type: 'boolean', alias: 'w', description: 'Show its progress until it ends' },
  },
  notes: ['With --watch, exits with 1 unless the whole job succeeded.'],
  examples: [{ command: 'trove job show JOB --watch', does: 'follow a job' }],
  async run(args, cli) {
    const id = args.required('id');
    const watch = args.flag('watch');
    const job = watch ? await followJob(cli, id) : await cli.client.ingest.getJob({ job_id: id });
    await (cli.json ? cli.printJson(job) : printJob(cli, job));
    if (watch) requireSuccess(job);
  },
});

const cancel = command({
  name: 'cancel',
  description: 'Stop a job. Objects that it has indexed are kept',
  args: { id: jobIdArgument },
  notes: ['Exits with 1 if the job had already ended.'],
  examples: [{ command: 'trove job cancel JOB', does: 'cancel a job' }],
  async run(args, cli) {
    const id = args.required('id');
    const answer = await cli.client.ingest.cancelJob({ job_id: id });
    if (cli.json) await cli.printJson(answer);
    else await cli.out.line(answer.cancelled ? `Cancelled ${id}` : `${id} had already ended`);
    if (!answer.cancelled) throw new Exit(1);
  },
});

export const job = group('job', 'List, show and cancel jobs', [list, show, cancel]);

async function printJob(cli: Cli, item: JobResponse): Promise<void> {
  const { out } = cli;
  const pairs = renderPairs([
    ['job', item.id],
    ['source', displayUri(item.target ?? '', cli)],
    ['status', item.error === null ? item.status : `${item.status} (${item.error})`],
    ['kind', [item.op_kind, item.trigger].filter((text) => text !== null).join(', ')],
    ['created', item.created_at],
    ['took', item.started_at === null ? 'not started' : formatElapsed(item)],
    ...(item.phase === null ? [] : [['phase', item.phase] as const]),
    ['total', formatCount(item.total_objects)],
    ['result', formatCounts(item)],
  ]);
  for (const line of pairs) await out.line(out.safeName(line));
  const { obstacle } = item;
  if (obstacle !== null)
    await out.line(
      `${out.style.yellow('Warning')} ${obstacle.code}: ${out.safeName(obstacle.detail)}`,
    );
  await printReasons(cli, item, maxReasons);
}
