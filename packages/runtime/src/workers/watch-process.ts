import { parentPort, workerData } from 'node:worker_threads';

// A thread that ends its process when that grows too much, or has lost its parent.

const MiB = 1024 * 1024;
/** Memory grows by some hundred megabytes meanwhile. */
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
