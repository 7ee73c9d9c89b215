import { mkdirSync, rmSync } from 'node:fs';
import { lowerPriority } from './priority.js';

// The entry point of every process that `startProcess` starts.

export interface ProcessEntry {
  /** The URL of the module to run. */
  readonly module: string;
  readonly priority: 'normal' | 'low';
  /** Created at the start, and removed when the parent disconnects. */
  readonly tempFolder: string | null;
}

const { module, priority, tempFolder }: ProcessEntry = JSON.parse(process.argv[3] ?? '');
if (tempFolder !== null) mkdirSync(tempFolder, { recursive: true, mode: 0o700 });
if (priority === 'low') lowerPriority();
// Signals of the process group are for the parent, which ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
// `process.exit` would wait for native threads.
process.once('disconnect', () => {
  try {
    if (tempFolder !== null) rmSync(tempFolder, { recursive: true, force: true });
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
});
await import(module);
