import { mkdirSync, rmSync } from 'node:fs';
import { lowerPriority } from './priority.js';

// The entry point of every process that `startProcess` starts.

export interface ProcessEntry {
  /** The URL of the module to run. */
  readonly module: string;
  readonly priority: 'normal' | 'low';
  /** Made at the start, and removed when the parent lets go of this process. */
  readonly tempFolder: string | null;
}

const { module, priority, tempFolder }: ProcessEntry = JSON.parse(process.argv[3] ?? '');
if (tempFolder !== null) mkdirSync(tempFolder, { recursive: true, mode: 0o700 });
if (priority === 'low') lowerPriority();
// A signal to the whole group is for the parent, which says when to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
// A plain exit would wait for native threads.
process.once('disconnect', () => {
  try {
    if (tempFolder !== null) rmSync(tempFolder, { recursive: true, force: true });
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
});
await import(module);
