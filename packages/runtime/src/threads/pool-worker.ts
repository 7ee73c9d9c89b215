import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ThreadEntryStart, ThreadStart } from './messages.js';

/** MiB. Young objects are soon sent away; more room for them costs memory and saves no time. */
const youngHeap = 6;

export interface WorkerOptions {
  /** The module that calls `serveThread`. */
  readonly module: URL;
  readonly start: ThreadStart;
  /** Maximum heap. */
  readonly heapMiB: number;
}

/** What a pool needs of a thread, or of a process in its place. */
export interface PoolWorker {
  /** Throws for what cannot be cloned. */
  postMessage(message: object, moved: ArrayBuffer[]): void;
  ref(): void;
  unref(): void;
  /** Resolves once it has ended. */
  terminate(): Promise<unknown>;
}

export interface WorkerEvents {
  readonly message: (message: unknown) => void;
  /** It has ended, or is going to. */
  readonly lost: (error: Error) => void;
}

export function startThread(
  { module, start, heapMiB }: WorkerOptions,
  { message, lost }: WorkerEvents,
): PoolWorker {
  const worker = new Worker(new URL('./thread-entry.js', import.meta.url), {
    workerData: { ...start, module: module.href } satisfies ThreadEntryStart,
    resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: youngHeap },
    ...(isGivenAsText() ? { execArgv: [] } : {}),
  });
  worker.on('message', message);
  worker.on('error', lost);
  worker.on('exit', () => lost(new Error('the worker thread ended')));
  return worker;
}

/**
 * For work on what strangers made: V8 ends the whole process, not the thread, when an allocation goes far beyond the limit
 * of a heap. What is sent is copied.
 */
export function startProcess(
  { module, start, heapMiB }: WorkerOptions,
  { message, lost }: WorkerEvents,
): PoolWorker {
  const child = fork(fileURLToPath(module), [JSON.stringify(start)], {
    serialization: 'advanced',
    // What V8 says when it ends a process is no line of a log.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [...execArguments(), `--max-old-space-size=${heapMiB}`],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (_code, signal) => {
      resolve();
      lost(new ProcessEnded(signal));
    });
    child.once('error', (error) => {
      resolve();
      lost(error);
    });
  });
  child.on('message', message);
  return {
    // When it can no longer be sent, the process has ended, which is told anyway.
    postMessage: (sent) => void child.send(sent, () => undefined),
    ref: () => {
      child.ref();
      child.channel?.ref();
    },
    unref: () => {
      child.unref();
      child.channel?.unref();
    },
    terminate: () => {
      // Who waits for the end of an idle one still waits for something.
      child.ref();
      child.kill('SIGKILL');
      return ended;
    },
  };
}

/** A process ended by itself. */
export class ProcessEnded extends Error {
  /** `SIGABRT` when its heap, `SIGKILL` when it as a whole took more than it may have. */
  readonly signal: NodeJS.Signals | null;

  constructor(signal: NodeJS.Signals | null) {
    super('its process ended');
    this.signal = signal;
  }
}

/** Two processes cannot be inspected at one port. */
function execArguments(): string[] {
  return isGivenAsText() ? [] : process.execArgv.filter((each) => !each.startsWith('--inspect'));
}

/** Options for a program given as text (`node -e`) do not apply to a file. */
function isGivenAsText(): boolean {
  return process.execArgv.some((option) => option.startsWith('--input-type'));
}
