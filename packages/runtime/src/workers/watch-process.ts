import { parentPort, workerData } from 'node:worker_threads';

// A thread that kills its process when the process grows too much or has lost its parent.

const MiB = 1024 * 1024;
/** Memory can grow by a few hundred MB between two checks. */
const pollMs = 100;

const { growthMiB, parent }: { growthMiB: number; parent: number } = workerData;
let from = process.memoryUsage.rss();
parentPort?.on('message', () => {
  from = process.memoryUsage.rss();
});
setInterval(() => {
  const grown = process.memoryUsage.rss() - from;
  if (grown > growthMiB * MiB || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, pollMs);
