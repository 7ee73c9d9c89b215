import type { CallStart } from './call-messages.js';
import { startThread } from './start.js';

/** The message channel of a worker, in a thread or a process. */
export interface WorkerChannel {
  readonly start: CallStart;
  postMessage(message: object, moved: ArrayBuffer[]): void;
  onMessage(receive: (message: unknown) => void): void;
}

/** Opens the channel of a process that `startProcess` started. */
export function openProcessChannel(): WorkerChannel {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `startProcess` starts it with nothing else
  const start = JSON.parse(process.argv[2] ?? '') as CallStart;
  // A separate thread watches the memory and the parent, because this thread may be busy for a long time.
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
