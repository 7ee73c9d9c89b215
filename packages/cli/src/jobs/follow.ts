import type { JobResponse } from '@trove/client';

import { Exit } from '@trove/commands';
import type { Cli } from '../session/cli.js';
import { JobProgress } from './progress.js';
import { watchJob } from './watch.js';

const interruptedExitCode = 130;

/** Shows a job until it ends. The first Ctrl-C explains that the job continues on the server; the second one exits. */
export async function followJob(cli: Cli, id: string): Promise<JobResponse> {
  const progress = new JobProgress(cli.err);
  let interrupts = 0;
  const onInterrupt = () => {
    interrupts++;
    if (interrupts > 1) {
      void progress.clear();
      process.exit(interruptedExitCode);
    }
    void progress.printMessage(
      `The job continues on the server. Press Ctrl-C again to stop watching.\n` +
        `  watch again: trove job show ${id} --watch\n  cancel:      trove job cancel ${id}`,
    );
  };
  process.on('SIGINT', onInterrupt);
  try {
    return await watchJob(cli, id, (job) => (cli.json ? printNothing() : progress.show(job)));
  } finally {
    await progress.clear();
    process.off('SIGINT', onInterrupt);
  }
}

/** Exits with 1 unless the whole job succeeded. */
export function requireSuccess(job: JobResponse): void {
  if (job.status !== 'succeeded' || (job.failed_objects ?? 0) > 0) throw new Exit(1);
}

async function printNothing(): Promise<void> {}
