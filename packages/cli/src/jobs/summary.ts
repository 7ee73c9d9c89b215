import type { JobResponse } from '@trove/client';

import { displayText, displayUri } from '../paths/display.js';
import type { Cli } from '../session/cli.js';
import { formatCount, formatDuration, plural } from '../terminal/numbers.js';

const maxFailures = 5;

/** Prints the result of a job. */
export async function printSummary(cli: Cli, job: JobResponse): Promise<void> {
  const { out } = cli;
  const target = out.safeName(displayUri(job.target ?? '', cli));
  await out.line(`${formatHeadline(cli, job)} ${target} in ${formatElapsed(job)}`);
  await out.line(`  ${formatCounts(job)}`);
  await printReasons(cli, job, maxFailures);
}

/** Prints why a job ended, its failed and left out objects, and its warnings. */
export async function printReasons(cli: Cli, job: JobResponse, maxShown: number): Promise<void> {
  const { out } = cli;
  const safe = (text: string) => out.safeName(displayText(text, cli));
  if (job.detail !== null) await out.line(`${out.style.red('Why')} ${safe(job.detail)}`);
  const { failures: failed, left_out_reasons: leftOut } = job;
  if (failed.length > 0) await out.line(`${out.style.red('Failed')} (the next sync retries them)`);
  for (const { path, code, error } of failed.slice(0, maxShown)) {
    await out.line(`  ${out.safeName(displayUri(path, cli))}: ${code}: ${safe(error)}`);
  }
  const rest =
    (job.failed_objects ?? 0) + job.summaries_missing - Math.min(maxShown, failed.length);
  if (failed.length > 0 && rest > 0) {
    const where = failed.length > maxShown ? `: trove job show ${job.id}` : '';
    await out.line(`  … and ${formatCount(rest)} more${where}`);
  }
  if (leftOut.length > 0) await out.line(out.style.yellow('Left out'));
  for (const { path, reason, objects } of leftOut.slice(0, maxShown)) {
    const others = objects === 1 ? '' : ` (and ${objects - 1} more)`;
    await out.line(`  ${out.safeName(displayUri(path, cli))}: ${safe(reason)}${others}`);
  }
  for (const warning of job.warnings)
    await out.line(`${out.style.yellow('Warning')} ${safe(warning)}`);
}

/** Formats the duration of an ended or running job. */
export function formatElapsed(job: JobResponse, now: number = Date.now()): string {
  if (job.started_at === null) return '0.0 s';
  const end = job.finished_at === null ? now : Date.parse(job.finished_at);
  return formatDuration(end - Date.parse(job.started_at));
}

/** Returns `12 added, 2 removed, 3 unchanged, 1 failed; 40 chunks`. */
export function formatCounts(job: JobResponse): string {
  const parts = (
    [
      [job.added, 'added'],
      [job.changed, 'changed'],
      [job.removed, 'removed'],
      [job.unchanged, 'unchanged'],
      [job.left_out, 'left out'],
      [job.failed_objects, 'failed'],
      [job.cancelled_objects, 'cancelled'],
    ] as const
  ).flatMap(([count, word]) => ((count ?? 0) > 0 ? [`${formatCount(count)} ${word}`] : []));
  const bare = job.chunks_without_vector;
  const chunks = `${plural(job.chunks, 'chunk')}${bare > 0 ? ` (${formatCount(bare)} not embedded)` : ''}`;
  const all = [...(parts.length === 0 ? [] : [chunks]), ...formatSummaries(job)];
  return [parts.length === 0 ? 'no objects' : parts.join(', '), ...all].join('; ');
}

/** Formats the number of summaries and their cost. */
function formatSummaries(job: JobResponse): string[] {
  const { summaries, summaries_missing: missing, model_calls: calls } = job;
  if (summaries + missing + calls === 0) return [];
  const tokens = plural(job.model_input_tokens + job.model_output_tokens, 'token');
  const cost = calls === 0 ? '' : ` (${plural(calls, 'call')}, ${tokens})`;
  const left = missing === 0 ? '' : `, ${formatCount(missing)} missing`;
  return [`${plural(summaries, 'summary', 'summaries')}${left}${cost}`];
}

function formatHeadline({ out }: Cli, job: JobResponse): string {
  switch (job.status) {
    case 'succeeded':
      return out.style.green('Synced');
    case 'partial':
      return out.style.yellow('Partly synced');
    case 'cancelled':
      return out.style.yellow('Cancelled');
    default:
      return out.style.red(`${job.status}${job.error === null ? '' : ` (${job.error})`}`);
  }
}
