import { execFile, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type {
  ProcessHandle,
  ProcessOptions,
  ThreadOptions,
  WorkerHandle,
  WorkerListener,
} from '@trove/core/workers';
import type { ProcessEntry } from './process-entry.js';

/* The only place that starts threads and processes of our own modules. */

/** In MiB. Most young objects are moved to other threads, so a larger heap costs memory and saves no time. */
const defaultYoungHeapMiB = 3;
/** Time for a process to remove its temporary folder and exit before it is killed. */
const terminateMs = 2000;

/** Called once when the worker has ended, before its listener. */
type EndCallback = () => void;

export function startThread(
  module: URL,
  { data, heapMiB, youngHeapMiB = defaultYoungHeapMiB, priority }: ThreadOptions = {},
  ended?: EndCallback,
): WorkerHandle {
  const isLow = priority === 'low';
  const worker = new Worker(isLow ? new URL('./thread-entry.js', import.meta.url) : module, {
    workerData: data,
    argv: isLow ? [module.href] : [],
    resourceLimits: {
      maxYoungGenerationSizeMb: youngHeapMiB,
      ...(heapMiB === undefined ? {} : { maxOldGenerationSizeMb: heapMiB }),
    },
    ...(isEvalProgram() ? { execArgv: [] } : {}),
  });
  worker.unref();
  const events = new WorkerEvents(ended);
  worker.on('message', (message) => events.message(message));
  worker.on('error', (error) => events.ended(error));
  worker.on('exit', () => events.ended(new Error('the worker thread ended')));
  return {
    postMessage: (message, transfer = []) => worker.postMessage(message, transfer),
    listen: (listener) => events.listen(listener),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    terminate: async () => void (await worker.terminate()),
  };
}

/**
 * Starts a process instead of a thread, for untrusted content. V8 ends the whole process, not the thread, when
 * an allocation far exceeds the heap limit.
 */
export function startProcess(
  module: URL,
  options: ProcessOptions = {},
  ended?: EndCallback,
): ProcessHandle {
  const { data, heapMiB, priority = 'normal', stderr = 'ignore', hasTempFolder } = options;
  const tempFolder = hasTempFolder === true ? join(tmpdir(), `trove-worker-${randomUUID()}`) : null;
  const entry: ProcessEntry = { module: module.href, priority, tempFolder };
  const child = fork(
    fileURLToPath(new URL('./process-entry.js', import.meta.url)),
    [JSON.stringify(data ?? null), JSON.stringify(entry)],
    {
      serialization: 'advanced',
      // The crash report of V8 does not belong in the log.
      stdio: ['ignore', 'ignore', stderr, 'ipc'],
      env: environment(options, tempFolder),
      execArgv: [
        ...execArguments(),
        ...(heapMiB === undefined ? [] : [`--max-old-space-size=${heapMiB}`]),
      ],
    },
  );
  const events = new WorkerEvents(ended);
  const hasEnded = new Promise<void>((resolve) => {
    const end = async (error: Error): Promise<void> => {
      await removeFolder(tempFolder);
      resolve();
      events.ended(error);
    };
    child.once('exit', (_code, signal) => void end(new ProcessEndedError(signal)));
    child.once('error', (error) => void end(error));
  });
  const unref = (): void => {
    child.unref();
    child.channel?.unref();
  };
  child.on('message', (message) => events.message(message));
  unref();
  return {
    pid: child.pid,
    // A message to an ended process is dropped. The listener is notified of the end.
    postMessage: (message) => void child.send(message, () => undefined),
    listen: (listener) => events.listen(listener),
    ref: () => {
      child.ref();
      child.channel?.ref();
    },
    unref,
    yieldProcessors: () => yieldProcessors(child.pid),
    terminate: () => {
      // The process must stay referenced while its end is awaited.
      child.ref();
      if (tempFolder === null) child.kill('SIGKILL');
      else {
        if (child.connected) child.disconnect();
        setTimeout(() => child.kill('SIGKILL'), terminateMs).unref();
      }
      return hasEnded;
    },
  };
}

/** A worker process ended unexpectedly. */
export class ProcessEndedError extends Error {
  /** `SIGABRT` if its heap, `SIGKILL` if its total memory exceeded the limit. */
  readonly signal: NodeJS.Signals | null;

  constructor(signal: NodeJS.Signals | null) {
    super('the worker process ended');
    this.signal = signal;
  }
}

/** Forwards the events of a worker to its current listener. */
class WorkerEvents {
  #listener: WorkerListener | null = null;
  #hasEnded = false;
  readonly #ended: EndCallback | undefined;

  constructor(ended: EndCallback | undefined) {
    this.#ended = ended;
  }

  listen(listener: WorkerListener | null): void {
    this.#listener = listener;
  }

  message(message: unknown): void {
    this.#listener?.message(message);
  }

  ended(error: Error): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#ended?.();
    this.#listener?.ended(error);
  }
}

async function removeFolder(folder: string | null): Promise<void> {
  if (folder !== null) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

function environment(
  { env = process.env }: ProcessOptions,
  tempFolder: string | null,
): NodeJS.ProcessEnv {
  if (tempFolder === null) return { ...env };
  return { ...env, TMPDIR: tempFolder, TMP: tempFolder, TEMP: tempFolder };
}

/** Uses `chrt`, which is part of every Linux. Elsewhere the low priority must suffice. */
function yieldProcessors(pid: number | undefined): void {
  if (pid === undefined) return;
  execFile('chrt', ['--all-tasks', '--idle', '--pid', '0', String(pid)], () => undefined);
}

/** Two processes cannot share an inspector port. */
function execArguments(): string[] {
  return isEvalProgram() ? [] : process.execArgv.filter((each) => !each.startsWith('--inspect'));
}

/** Options for a program text (`node -e`) do not apply to a file. */
function isEvalProgram(): boolean {
  return process.execArgv.some((option) => option.startsWith('--input-type'));
}
