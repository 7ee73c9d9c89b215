import { setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

const lowPriority = 15;

/** Whoever answers requests takes precedence over this thread, or over this process where it is one of its own, from now on. */
export function lowerPriority(): void {
  // Elsewhere a priority is that of the whole process, which also answers.
  if (!isMainThread && process.platform !== 'linux') return;
  try {
    setPriority(lowPriority);
  } catch {
    // Not permitted here; equal priority works too.
  }
}
