import { setTimeout as sleep } from 'node:timers/promises';

import { type JobResponse, TroveApiError } from '@trove/client';

import type { Cli } from '../session/cli.js';

const FIRST_POLL_MS = 100;
const LAST_POLL_MS = 1000;
const GROWTH = 1.15;
/** A restarting server continues its jobs: silence up to this long is tolerated. */
const PATIENCE_MS = 15_000;

const ENDED = new Set(['succeeded', 'partial', 'failed', 'cancelled']);

/** Polls a job until it has ended, reporting each state. */
export async function watchJob(
  cli: Cli,
  id: string,
  tell: (job: JobResponse) => Promise<void>,
): Promise<JobResponse> {
  let pause = FIRST_POLL_MS;
  let heard = performance.now();
  for (;;) {
    try {
      const job = await cli.client.ingest.getJob({ job_id: id });
      heard = performance.now();
      await tell(job);
      if (hasEnded(job)) return job;
    } catch (error) {
      if (!isOutage(error) || performance.now() - heard > PATIENCE_MS) throw error;
    }
    await sleep(pause);
    pause = Math.min(LAST_POLL_MS, pause * GROWTH);
  }
}

/** Also handles a status unknown to this version. */
function hasEnded(job: JobResponse): boolean {
  return ENDED.has(job.status) || job.finished_at !== null;
}

function isOutage(error: unknown): boolean {
  return error instanceof TroveApiError && error.code === 'connection_failed';
}
