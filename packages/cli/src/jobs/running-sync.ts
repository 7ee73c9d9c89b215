import { type JobResponse, TroveApiError } from '@trove/client';

import { displayUri } from '../paths/display.js';
import type { Cli } from '../session/cli.js';
import { followJob } from './follow.js';

/** Waits for a running sync, then syncs again, because the first sync may have missed late changes. */
export async function retryAfterRunningSync<T>(
  cli: Cli,
  target: string,
  startSync: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await startSync();
    } catch (error) {
      const running = isRunningAlready(error) ? await newestJob(cli, target) : undefined;
      if (running === undefined) throw error;
      await cli.err.line(
        `A sync of ${cli.err.safeName(displayUri(running.target ?? target, cli))} is already running (${running.id}). Another sync follows.`,
      );
      await followJob(cli, running.id);
    }
  }
}

function isRunningAlready(error: unknown): boolean {
  return error instanceof TroveApiError && error.code === 'sync_already_running';
}

/** Returns the job that blocked the sync. It may have ended since. */
async function newestJob(cli: Cli, target: string): Promise<JobResponse | undefined> {
  const [newest] = await cli.client.ingest.listJobs({ target, limit: 1 });
  return newest;
}
