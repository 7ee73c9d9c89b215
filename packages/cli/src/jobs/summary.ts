import type { JobResponse } from '@trove/client';

import { displayUri } from '../paths/display.js';
import type { Cli } from '../session/cli.js';
import { formatCount, formatDuration, plural } from '../terminal/numbers.js';

const SHOWN_FAILURES = 5;

/** What a job did, for people. */
export async function printSummary(cli: Cli, job: JobResponse): Promise<void> {
  const { out } = cli;
  const target = out.safeName(displayUri(job.target ?? '', cli));
  await out.line(`${headline(cli, job)} ${target} in ${elapsed(job)}`);
  await out.line(`  ${counts(job)}`);
  await printFailures(cli, job, SHOWN_FAILURES);
}

/** The objects that failed, the first of them with their reasons. */
export async function printFailures(cli: Cli, job: JobResponse, shown: number): Promise<void> {
  const { out } = cli;
  if (job.failures.length === 0) return;
  await out.line(out.style.red('Failed'));
  for (const { path, code, error } of job.failures.slice(0, shown)) {
    await out.line(`  ${out.safeName(displayUri(path, cli))}: ${code}: ${out.safeName(error)}`);
  }
  const rest = (job.failed_objects ?? 0) - Math.min(shown, job.failures.length);
  if (rest > 0) {
    await out.line(`  … and ${formatCount(rest)} more: trove job show ${job.id}`);
  }
}

/** How long a job ran, or has been running. */
export function elapsed(job: JobResponse, now: number = Date.now()): string {
  if (job.started_at === null) return '0.0 s';
  const end = job.finished_at === null ? now : Date.parse(job.finished_at);
  return formatDuration(end - Date.parse(job.started_at));
}

/** `12 objects synced, 3 skipped, 1 failed; 40 chunks`. */
export function counts(job: JobResponse): string {
  const parts = [`${plural(job.succeeded_objects, 'object')} synced`];
  for (const [count, word] of [
    [job.skipped_objects, 'skipped'],
    [job.failed_objects, 'failed'],
    [job.cancelled_objects, 'cancelled'],
  ] as const) {
    if ((count ?? 0) > 0) parts.push(`${formatCount(count)} ${word}`);
  }
  return `${parts.join(', ')}; ${plural(job.chunks, 'chunk')}`;
}

function headline({ out }: Cli, job: JobResponse): string {
  switch (job.status) {
    case 'succeeded':
      return out.style.green('Indexed');
    case 'partial':
      return out.style.yellow('Indexed, in part,');
    case 'cancelled':
      return out.style.yellow('Cancelled');
    default:
      return out.style.red(`${job.status}${job.error === null ? '' : ` (${job.error})`}`);
  }
}
