import { parentPort, workerData } from 'node:worker_threads';
import { isTroveError } from '@trove/core';
import type {
  FromThread,
  ResultOf,
  ThreadError,
  ToThread,
  UploadTaskName,
  UploadThreadData,
} from './messages.js';
import { explained } from './refusals.js';
import type { WhereIs } from './tasks/manifest.js';
import { removeFolders } from './tasks/remove.js';

// The entry point of an upload thread: it does one task, loads what that needs, and is stopped by whoever started it.

const pieces: (Uint8Array | null)[] = [];
const folders: (string | null)[] = [];
let wake = (): void => {};

parentPort?.on('message', (message: ToThread) => {
  if ('piece' in message) pieces.push(message.piece);
  else folders.push(message.folder);
  wake();
});

function post(message: FromThread): void {
  parentPort?.postMessage(message);
}

function more(): Promise<void> {
  return new Promise((resolve) => {
    wake = resolve;
  });
}

async function* bytes(): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    const piece = pieces.shift();
    if (piece === null) return;
    if (piece === undefined) {
      await more();
      continue;
    }
    yield piece;
    post({ taken: true });
  }
}

async function locate(source: WhereIs): Promise<string | null> {
  post({ whereIs: source });
  for (;;) {
    const folder = folders.shift();
    if (folder !== undefined) return folder;
    await more();
  }
}

const data: UploadThreadData = workerData;

async function perform(): Promise<ResultOf<UploadTaskName>> {
  switch (data.task) {
    case 'snapshot': {
      const { unpackSnapshot } = await import('./tasks/snapshot.js');
      return orNothing(data.input, unpackSnapshot(data.input, bytes()));
    }
    case 'bundle': {
      const { applyBundle } = await import('./tasks/bundle.js');
      return orNothing(data.input, applyBundle(data.input, bytes()));
    }
    case 'manifest': {
      const { compareManifest } = await import('./tasks/manifest.js');
      return compareManifest(data.input, bytes(), locate);
    }
    case 'remove':
      return removeFolders(data.input);
  }
}

/** A tree that is not finished is removed. */
async function orNothing({ tree }: { readonly tree: string }, made: Promise<void>): Promise<void> {
  try {
    await made;
  } catch (error) {
    removeFolders({ folders: [tree] });
    throw error;
  }
}

function toWire(error: unknown): ThreadError {
  const known = explained(error);
  if (isTroveError(known)) {
    const { code, detail, suggestions } = known;
    return { code, detail, suggestions };
  }
  const text = known instanceof Error ? (known.stack ?? known.message) : String(known);
  return { code: null, detail: text, suggestions: [] };
}

perform().then(
  (result) => post({ result }),
  (error: unknown) => post({ error: toWire(error) }),
);
