import { parentPort, workerData } from 'node:worker_threads';

// A thread that kills its process when the process grows too much or has lost its parent. Growth is measured
// from the last message, because `openProcessChannel` sends one for each call and part.

const MiB = 1024 * 1024;
/** Memory can grow by a few hundred MB between two checks. */
const pollMs = 100;

/** Without `growthMiB`, the memory is not limited. */
const { growthMiB = Infinity, parent }: { growthMiB?: number; parent: number } = workerData;
let baseline = process.memoryUsage.rss();
parentPort?.on('message', () => {
  baseline = process.memoryUsage.rss();
});
setInterval(() => {
  const growth = process.memoryUsage.rss() - baseline;
  if (growth > growthMiB * MiB || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, pollMs);
