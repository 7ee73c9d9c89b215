import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { TroveError } from '@trove/core';

import { concernedBy } from './concerned.js';

interface Told {
  readonly paths?: readonly string[];
  readonly code?: string;
  readonly message?: string;
}

/** Paths below a folder that a change concerns, by a thread of its own; '' once it watches, and for anything. Throws when the system cannot watch. */
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
      for (const path of new Set(paths.map(concernedBy))) if (path !== null) yield path;
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
