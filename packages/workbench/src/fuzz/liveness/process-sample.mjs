import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the resources of a process: `{ rss, files, threads }` in bytes and numbers, or null if it has ended or cannot
 * be inspected.
 */
export function processSample(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const rss = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
    const threads = Number(/^Threads:\s+(\d+)$/m.exec(status)?.[1]);
    return { rss, threads, files: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return null;
  }
}
