import { TroveError } from '@trove/core';
import type { WorkerHandle, Workers } from '@trove/core/workers';

import { AnswerQueue } from '../threads/answer-queue.js';
import { affectedPathOf } from './affected-path.js';
import type { WatchAnswer, WatchRequest } from './protocol.js';

/** A thread that watches the roots of all sources. It ends with the last watch. */
interface WatchThread {
  readonly worker: WorkerHandle;
  readonly watches: Map<number, AnswerQueue<WatchAnswer>>;
}

const threads = new WeakMap<Workers, WatchThread>();
let nextId = 1;

/**
 * Yields paths below a root that changes affect. Yields '' once the watch begins, and when any path may have changed.
 * Throws `not_supported` if the system cannot watch.
 */
export async function* watchFiles(
  root: string,
  workers: Workers,
  signal: AbortSignal,
): AsyncGenerator<string> {
  signal.throwIfAborted();
  const thread = threads.get(workers) ?? startThread(workers);
  const id = nextId++;
  const answers = new AnswerQueue<WatchAnswer>();
  const abort = (): void => answers.fail(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  thread.watches.set(id, answers);
  send(thread.worker, { id, root });
  try {
    for (;;) {
      const { paths, code = '', message = '' } = await answers.take();
      if (paths === undefined) throw watchError(code, message);
      for (const path of new Set(paths.map(affectedPathOf))) if (path !== null) yield path;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    thread.watches.delete(id);
    send(thread.worker, { id, root: null });
    if (thread.watches.size === 0) {
      if (threads.get(workers) === thread) threads.delete(workers);
      await thread.worker.terminate();
    }
  }
}

function startThread(workers: Workers): WatchThread {
  const worker = workers.startThread(new URL('./watch-worker.js', import.meta.url));
  const thread: WatchThread = { worker, watches: new Map() };
  threads.set(workers, thread);
  worker.listen({
    message: (message) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `watch-worker.ts` sends nothing else
      const answer = message as WatchAnswer;
      thread.watches.get(answer.id)?.put(answer);
    },
    ended: (error) => {
      if (threads.get(workers) === thread) threads.delete(workers);
      for (const answers of thread.watches.values()) answers.fail(error);
    },
  });
  return thread;
}

function send(worker: WorkerHandle, request: WatchRequest): void {
  worker.postMessage(request);
}

function watchError(code: string, message: string): TroveError {
  const isLimit = code === 'ENOSPC' || code === 'EMFILE';
  return new TroveError(
    'not_supported',
    isLimit
      ? 'The system has reached its limit of watched folders.'
      : `The folder cannot be watched: ${message}`,
    isLimit
      ? { suggestions: ['On Linux, raise the limit: sysctl fs.inotify.max_user_watches=524288'] }
      : {},
  );
}
