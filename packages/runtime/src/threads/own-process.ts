import { Worker } from 'node:worker_threads';
import { giveWay } from './give-way.js';
import type { ThreadStart } from './messages.js';

/** How a worker is talked with, be it a thread or a process. */
export interface Channel {
  readonly start: ThreadStart;
  postMessage(message: object, moved: ArrayBuffer[]): void;
  onMessage(receive: (message: unknown) => void): void;
}

/** The process's side of `startProcess`. */
export function ownProcess(): Channel {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `startProcess` starts it with nothing else
  const start = JSON.parse(process.argv[2] ?? '') as ThreadStart;
  if (!start.isAwaited) giveWay();
  // It may be computing for as long as it likes, so another thread watches.
  const watch = new Worker(new URL('./watch-process.js', import.meta.url), {
    workerData: { growthMiB: start.growthMiB, parent: process.ppid },
  });
  watch.unref();
  // A signal to the whole group is for the parent, which says when to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  return {
    start,
    postMessage: (message) => {
      watch.postMessage('restart');
      process.send?.(message);
    },
    onMessage: (receive) => {
      process.on('message', (message) => {
        watch.postMessage('restart');
        receive(message);
      });
    },
  };
}
