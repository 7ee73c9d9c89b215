import type { JobResponse } from '@trove/client';

import { Exit } from '@trove/commands';
import type { Cli } from '../session/cli.js';
import { Progress } from './progress.js';
import { watchJob } from './watch.js';

const INTERRUPTED = 130;

/**
 * Shows a job until it has ended. The first Ctrl-C explains that the job outlives this command; the second ends the
 * command.
 */
export async function followJob(cli: Cli, id: string): Promise<JobResponse> {
  const progress = new Progress(cli.err);
  let interrupts = 0;
  const onInterrupt = () => {
    interrupts++;
    if (interrupts > 1) {
      void progress.clear();
      process.exit(INTERRUPTED);
    }
    void progress.say(
      `The server goes on with this job. Press Ctrl-C again to stop watching.\n` +
        `  watch it again: trove job show ${id} --watch\n  cancel it:      trove job cancel ${id}`,
    );
  };
  process.on('SIGINT', onInterrupt);
  try {
    return await watchJob(cli, id, (job) => (cli.json ? nothing() : progress.show(job)));
  } finally {
    await progress.clear();
    process.off('SIGINT', onInterrupt);
  }
}

/** Ends the command with exit code 1 unless everything went well. */
export function requireSuccess(job: JobResponse): void {
  if (job.status !== 'succeeded' || (job.failed_objects ?? 0) > 0) throw new Exit(1);
}

async function nothing(): Promise<void> {}
