import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { TroveError } from '@trove/core';

interface Told {
  readonly paths?: readonly string[];
  readonly code?: string;
  readonly message?: string;
}

/** What tools write all the time and nobody searches. */
const noise = /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/;

/** Paths below a folder as they change, in a thread of its own; '' once it watches. Throws when the system cannot watch. */
export async function* watchFiles(root: string, signal: AbortSignal): AsyncGenerator<string> {
  const worker = new Worker(new URL('./watch-worker.js', import.meta.url), {
    workerData: root,
    execArgv: [],
  });
  worker.unref();
  try {
    for await (const [told] of on(worker, 'message', { signal })) {
      const { paths, code = '', message = '' }: Told = told;
      if (paths === undefined) throw cannotWatch(code, message);
      for (const path of paths) if (!noise.test(path)) yield path;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await worker.terminate();
  }
}

function cannotWatch(code: string, message: string): TroveError {
  const isFull = code === 'ENOSPC' || code === 'EMFILE';
  return new TroveError(
    'not_supported',
    isFull
      ? 'The system does not let more folders be watched.'
      : `The folder cannot be watched: ${message}`,
    isFull
      ? { suggestions: ['On Linux, raise it: sysctl fs.inotify.max_user_watches=524288'] }
      : {},
  );
}
