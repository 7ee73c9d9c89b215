import type { CallStart } from './call-messages.js';
import { startThread } from './start.js';

/** How a worker is talked with, be it a thread or a process. */
export interface WorkerChannel {
  readonly start: CallStart;
  postMessage(message: object, moved: ArrayBuffer[]): void;
  onMessage(receive: (message: unknown) => void): void;
}

/** The process's side of `startProcess`. */
export function openProcessChannel(): WorkerChannel {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `startProcess` starts it with nothing else
  const start = JSON.parse(process.argv[2] ?? '') as CallStart;
  // It may be computing for as long as it likes, so another thread watches.
  const watch = startThread(new URL('./watch-process.js', import.meta.url), {
    data: { growthMiB: start.growthMiB, parent: process.ppid },
  });
  return {
    start,
    postMessage: (message) => {
      watch.postMessage({ restart: true });
      process.send?.(message);
    },
    onMessage: (receive) => {
      process.on('message', (message) => {
        watch.postMessage({ restart: true });
        receive(message);
      });
    },
  };
}
