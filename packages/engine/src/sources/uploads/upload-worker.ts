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
    (error: unknown) => post({ error: toThreadError(error) }),
  );
});

function post(message: FromThread): void {
  parentPort?.postMessage(message);
}

async function perform(start: TaskStart, data: TaskInbox): Promise<ResultOf<UploadTaskName>> {
  switch (start.task) {
    case 'snapshot': {
      const { unpackSnapshot } = await import('./tasks/snapshot.js');
      return removeOnFailure(start.input, unpackSnapshot(start.input, data.bytes()));
    }
    case 'bundle': {
      const { applyBundle } = await import('./tasks/bundle.js');
      return removeOnFailure(start.input, applyBundle(start.input, data.bytes()));
    }
    case 'manifest': {
      const { compareManifest } = await import('./tasks/manifest.js');
      return compareManifest(start.input, data.bytes(), (source) => data.locate(source));
    }
    case 'remove':
      return removeFolders(start.input);
  }
}

/** Deletes the unfinished tree after a failure. */
async function removeOnFailure(
  { tree }: { readonly tree: string },
  writing: Promise<void>,
): Promise<void> {
  try {
    await writing;
  } catch (error) {
    removeFolders({ folders: [tree] });
    throw error;
  }
}

function toThreadError(error: unknown): ThreadError {
  const known = explainDiskError(error);
  if (isTroveError(known)) {
    const { code, detail, suggestions } = known;
    return { code, detail, suggestions };
  }
  const text = known instanceof Error ? (known.stack ?? known.message) : String(known);
  return { code: null, detail: text, suggestions: [] };
}
