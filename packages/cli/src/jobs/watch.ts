import { setTimeout as sleep } from 'node:timers/promises';

import { type JobResponse, TroveApiError } from '@trove/client';

import type { Cli } from '../session/cli.js';

const firstPollMs = 100;
const lastPollMs = 1000;
const pollGrowth = 1.15;
/** Maximum silence of the server: a restarted server continues its jobs. */
const maxWaitMs = 15_000;

const finalStatuses = new Set(['succeeded', 'partial', 'failed', 'cancelled']);

/** Polls a job until it ends. Reports every state. */
export async function watchJob(
  cli: Cli,
  id: string,
  onState: (job: JobResponse) => Promise<void>,
): Promise<JobResponse> {
  let pause = firstPollMs;
  let lastAnswerAt = performance.now();
  for (;;) {
    try {
      const job = await cli.client.ingest.getJob({ job_id: id });
      lastAnswerAt = performance.now();
      await onState(job);
      if (hasEnded(job)) return job;
    } catch (error) {
      if (!isOutage(error) || performance.now() - lastAnswerAt > maxWaitMs) throw error;
    }
    await sleep(pause);
    pause = Math.min(lastPollMs, pause * pollGrowth);
  }
}

/** Handles statuses that this version does not know. */
function hasEnded(job: JobResponse): boolean {
  return finalStatuses.has(job.status) || job.finished_at !== null;
}

function isOutage(error: unknown): boolean {
  return error instanceof TroveApiError && error.code === 'connection_failed';
}
