import { token } from '@trove/core/di';
import { Worker } from 'node:worker_threads';
import { TroveError } from '@trove/core';
import type {
  FromThread,
  InputOf,
  ResultOf,
  ThreadError,
  ToThread,
  UploadTaskName,
} from './messages.js';
import type { Locate, WhereIs } from './locate.js';

/** Pieces sent before the thread has taken the first one in. */
const piecesAhead = 4;
/** MiB. What is known about 200,000 files, before and after, needs less. */
const heapMiB = 512;
/** MiB. The bytes of pieces are soon garbage; with more room they are collected later, and take more memory. */
const youngHeapMiB = 4;
/** A thread that has done its task waits this long for another: to start one takes longer than most manifests. */
const idleMs = 2000;
const idleAtMost = 2;
/** One that was sent more has a heap that has grown, which would stay as large. */
const keptUpTo = 1024 * 1024;

export interface ThreadOptions {
  readonly bytes?: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
  readonly locate?: Locate;
}

/** The token of `UploadThreads` in an engine's container. */
export const UploadThreadsToken = token<UploadThreads>('engine.upload_threads');

/**
 * Threads that do one task at a time: unpacking with blocking calls takes a third of the time, and keeps nobody waiting.
 * A thread that has failed, or was given up, ends.
 */
export class UploadThreads {
  readonly #idle = new Map<Worker, NodeJS.Timeout>();
  #isClosed = false;

  /**
   * Bytes are passed on as fast as the thread takes them in, and never held as a whole. Throws what the task or the source
   * of the bytes throws, and the signal's reason.
   */
  async run<N extends UploadTaskName>(
    task: N,
    input: InputOf<N>,
    { bytes, signal, locate }: ThreadOptions = {},
  ): Promise<ResultOf<N>> {
    signal?.throwIfAborted();
    const worker = this.#take() ?? start();
    const running = new RunningTask(worker, task, input, locate);
    const abort = (): void => running.fail(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    const sent = bytes === undefined ? undefined : running.send(bytes);
    sent?.catch((error: unknown) => running.fail(error));
    let isUsable = false;
    try {
      const result = await running.ended;
      isUsable = bytes === undefined || (running.hasSentAll && running.sentBytes <= keptUpTo);
      return result;
    } finally {
      signal?.removeEventListener('abort', abort);
      running.stop();
      if (isUsable) this.#keep(worker);
      else await worker.terminate();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(Array.from(this.#idle.keys(), (worker) => this.#end(worker)));
  }

  #take(): Worker | undefined {
    const [worker] = this.#idle.keys();
    if (worker === undefined) return undefined;
    this.#forget(worker);
    worker.ref();
    return worker;
  }

  #keep(worker: Worker): void {
    if (this.#isClosed || this.#idle.size >= idleAtMost) return void worker.terminate();
    worker.unref();
    worker.on('error', () => this.#forget(worker));
    worker.on('exit', () => this.#forget(worker));
    this.#idle.set(worker, setTimeout(() => void this.#end(worker), idleMs).unref());
  }

  async #end(worker: Worker): Promise<void> {
    this.#forget(worker);
    await worker.terminate();
  }

  #forget(worker: Worker): void {
    clearTimeout(this.#idle.get(worker));
    this.#idle.delete(worker);
    leave(worker);
  }
}

function start(): Worker {
  return new Worker(new URL('./upload-worker.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: youngHeapMiB },
    execArgv: [],
  });
}

/** What goes wrong in it from now on concerns nobody here. */
function leave(worker: Worker): void {
  // Not those of all events: some are Node's own.
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
  worker.on('error', () => undefined);
}

interface Settle<R> {
  readonly resolve: (result: R) => void;
  readonly reject: (reason: unknown) => void;
}

/** A task in a thread, for as long as it takes. */
class RunningTask<N extends UploadTaskName> {
  /** The result of the task. */
  readonly ended: Promise<ResultOf<N>>;
  readonly #worker: Worker;
  readonly #locate: Locate;
  #settle: Settle<ResultOf<N>> | null = null;
  /** Whether nothing of what was given to it comes any more. */
  hasSentAll = false;
  sentBytes = 0;
  #credit = piecesAhead;
  #wake = (): void => {};

  constructor(
    worker: Worker,
    task: N,
    input: InputOf<N>,
    locate: Locate = () => Promise.resolve(null),
  ) {
    this.#worker = worker;
    this.#locate = locate;
    this.ended = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.ended.catch(() => undefined);
    worker.on('message', (message: FromThread<N>) => this.#receive(message));
    worker.on('error', (error) => this.fail(lost(error)));
    worker.on('exit', () => this.fail(new Error('the thread of an upload ended')));
    this.#post({ task, input });
  }

  /** Sends all bytes, until the task has ended. */
  async send(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const piece of bytes) {
      while (this.#credit <= 0 && this.#settle !== null) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if (this.#settle === null) return;
      this.#credit--;
      this.sentBytes += piece.byteLength;
      // A copy of its own: the memory around a piece may hold others.
      const own = new Uint8Array(piece);
      this.#post({ piece: own }, [own.buffer]);
    }
    this.#post({ piece: null });
    this.hasSentAll = true;
  }

  fail(reason: unknown): void {
    this.#settle?.reject(reason);
    this.#end();
  }

  /** The thread belongs to nobody from now on. */
  stop(): void {
    this.#end();
    leave(this.#worker);
  }

  #receive(message: FromThread<N>): void {
    if ('taken' in message) {
      this.#credit++;
      this.#wake();
    } else if ('whereIs' in message) {
      this.#tell(message.whereIs).catch((error: unknown) => this.fail(error));
    } else if ('error' in message) {
      this.fail(errorOf(message.error));
    } else {
      this.#settle?.resolve(message.result);
      this.#end();
    }
  }

  async #tell(source: WhereIs): Promise<void> {
    this.#post({ folder: await this.#locate(source) });
  }

  #post(message: ToThread<N>, moved: readonly ArrayBuffer[] = []): void {
    if (this.#settle !== null) this.#worker.postMessage(message, moved);
  }

  #end(): void {
    this.#settle = null;
    this.#wake();
  }
}

/** Only what a client sent can make a thread need that much. */
function lost(error: Error): Error {
  const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (!isMemory) return error;
  return new TroveError('payload_too_large', 'The upload needs more memory than one may take');
}

function errorOf({ code, detail, suggestions }: ThreadError): Error {
  return code === null ? new Error(detail) : new TroveError(code, detail, { suggestions });
}
