import { parentPort } from 'node:worker_threads';
import { isTroveError } from '@trove/core';
import type {
  TaskStart,
  FromThread,
  TaskData,
  ResultOf,
  ThreadError,
  UploadTaskName,
} from './messages.js';
import { TaskInbox } from './task-inbox.js';
import { explainDiskError } from './upload-errors.js';
import { removeFolders } from './tasks/remove.js';

// The entry point of an upload thread. It runs one task at a time, imports modules on demand, and is stopped by its
// starter.

let inbox = new TaskInbox(post);

parentPort?.on('message', (message: TaskStart | TaskData) => {
  if (!('task' in message)) return inbox.put(message);
  inbox = new TaskInbox(post);
  perform(message, inbox).then(
    (result) => post({ result }),
    (error: unknown) => post({ error: toWire(error) }),
  );
});

function post(message: FromThread): void {
  parentPort?.postMessage(message);
}

async function perform(begin: TaskStart, given: TaskInbox): Promise<ResultOf<UploadTaskName>> {
  switch (begin.task) {
    case 'snapshot': {
      const { unpackSnapshot } = await import('./tasks/snapshot.js');
      return removeOnFailure(begin.input, unpackSnapshot(begin.input, given.bytes()));
    }
    case 'bundle': {
      const { applyBundle } = await import('./tasks/bundle.js');
      return removeOnFailure(begin.input, applyBundle(begin.input, given.bytes()));
    }
    case 'manifest': {
      const { compareManifest } = await import('./tasks/manifest.js');
      return compareManifest(begin.input, given.bytes(), (source) => given.locate(source));
    }
    case 'remove':
      return removeFolders(begin.input);
  }
}

/** Deletes the unfinished tree after a failure. */
async function removeOnFailure(
  { tree }: { readonly tree: string },
  made: Promise<void>,
): Promise<void> {
  try {
    await made;
  } catch (error) {
    removeFolders({ folders: [tree] });
    throw error;
  }
}

function toWire(error: unknown): ThreadError {
  const known = explainDiskError(error);
  if (isTroveError(known)) {
    const { code, detail, suggestions } = known;
    return { code, detail, suggestions };
  }
  const text = known instanceof Error ? (known.stack ?? known.message) : String(known);
  return { code: null, detail: text, suggestions: [] };
}
