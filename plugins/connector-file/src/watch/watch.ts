import { Worker } from 'node:worker_threads';
import { TroveError } from '@trove/core';

import { Inbox } from '../threads/inbox.js';
import { concernedBy } from './concerned.js';
import type { WatchAnswer, WatchRequest } from './protocol.js';

/** The thread that watches the roots of all sources. It ends with the last of them, and keeps no process alive. */
let shared: { readonly worker: Worker; readonly watches: Map<number, Inbox<WatchAnswer>> } | null =
  null;
let nextId = 1;

/** Paths below a folder that a change concerns; '' once it watches, and for anything. Throws when the system cannot watch. */
export async function* watchFiles(root: string, signal: AbortSignal): AsyncGenerator<string> {
  signal.throwIfAborted();
  const thread = (shared ??= start());
  const id = nextId++;
  const inbox = new Inbox<WatchAnswer>();
  const abort = (): void => inbox.fail(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  thread.watches.set(id, inbox);
  ask(thread.worker, { id, root });
  try {
    for (;;) {
      const { paths, code = '', message = '' } = await inbox.take();
      if (paths === undefined) throw cannotWatch(code, message);
      for (const path of new Set(paths.map(concernedBy))) if (path !== null) yield path;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    thread.watches.delete(id);
    ask(thread.worker, { id, root: null });
    if (thread.watches.size === 0) {
      if (shared === thread) shared = null;
      await thread.worker.terminate();
    }
  }
}

function start(): NonNullable<typeof shared> {
  const worker = new Worker(new URL('./watch-worker.js', import.meta.url), { execArgv: [] });
  const thread = { worker, watches: new Map<number, Inbox<WatchAnswer>>() };
  const fail = (error: unknown): void => {
    if (shared === thread) shared = null;
    for (const inbox of thread.watches.values()) inbox.fail(error);
  };
  worker.unref();
  worker.on('message', (answer: WatchAnswer) => thread.watches.get(answer.id)?.put(answer));
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('The thread that watches folders has ended.')));
  return thread;
}

function ask(worker: Worker, request: WatchRequest): void {
  worker.postMessage(request);
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
