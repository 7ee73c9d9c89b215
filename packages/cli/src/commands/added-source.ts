import type { AddResponse } from '@trove/client';

import { followJob, requireSuccess } from '../jobs/follow.js';
import { printSummary } from '../jobs/summary.js';
import { displayText, displayUri, shellQuote } from '../paths/display.js';
import type { Cli } from '../session/cli.js';
import { suggestScheme } from './scheme-suggestion.js';
import { findRegisteredSource } from './registered-source.js';

/** Maximum number of sources named in one line. */
const maxNamedSources = 5;

/** Prints the server's answer for an added source and, if `wait` is set, follows its job. */
export async function reportAddedSource(
  cli: Cli,
  target: string,
  answer: AddResponse,
  wait: boolean,
): Promise<void> {
  const { job_id, overlaps, warnings } = answer;
  await printOverlaps(cli, target, overlaps);
  await printWarnings(cli, warnings);
  if (!wait) {
    if (cli.json) return cli.printJson(answer);
    await cli.out.line(job_id);
    return cli.err.line(`Follow it: trove job show ${job_id} --watch`);
  }
  const job = await followJob(cli, job_id);
  if (cli.json) await cli.printJson(job);
  else {
    await printSummary(cli, job);
    const hint = suggestScheme(job.target ?? '');
    if (hint !== null) await cli.err.line(cli.err.safeName(hint));
    if (job.status === 'succeeded' || (job.status === 'partial' && (job.chunks ?? 0) > 0)) {
      const where = shellQuote(displayUri(job.target ?? '', cli));
      await cli.err.line(`Next: trove search "your question" ${cli.err.safeName(where)}`);
    }
  }
  requireSuccess(job);
}

/** Prints overlapping sources before the first sync. */
async function printOverlaps(cli: Cli, target: string, overlaps: readonly string[]): Promise<void> {
  if (cli.json || overlaps.length === 0) return;
  const source = await findRegisteredSource(target, cli);
  if (source !== undefined && source.last_synced_at !== null) return;
  const named = overlaps
    .slice(0, maxNamedSources)
    .map((uri) => cli.err.safeName(displayUri(uri, cli)));
  const more = overlaps.length - named.length;
  const names = more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
  await cli.err.line(`Overlaps with ${names}. Objects in several sources appear as one hit.`);
}

async function printWarnings(cli: Cli, warnings: readonly string[]): Promise<void> {
  if (cli.json) return;
  for (const text of warnings)
    await cli.err.line(`warning: ${cli.err.safe(displayText(text, cli))}`);
}
