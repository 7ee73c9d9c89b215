import { inject, injectable, createToken } from '@trove/core/di';
import { TroveError } from '@trove/core';
import type { ThreadPool, WorkerHandle, Workers } from '@trove/core/workers';
import { createAbortController } from '@trove/runtime';
import type {
  FromThread,
  InputOf,
  ResultOf,
  ThreadError,
  ToThread,
  UploadTaskName,
} from './messages.js';
import type { Locate, LocateRequest } from './locate.js';
import { WorkersToken } from '../../tokens.js';

/** Pieces sent before the thread has taken the first one in. */
const maxPiecesAhead = 4;
/** MiB. What is known about 200,000 files, before and after, needs less. */
const heapMiB = 512;
/** MiB. The bytes of pieces are soon garbage; with more room they are collected later, and take more memory. */
const youngHeapMiB = 4;
/** A thread that has done its task waits this long for another: to start one takes longer than most manifests. */
const idleMs = 2000;
const maxIdle = 2;
/** Each upload has one until its last byte has come. */
const maxThreads = 64;
const never = createAbortController().signal;
/** One that was sent more has a heap that has grown, which would stay as large. */
const maxReusableBytes = 1024 * 1024;

export interface UploadTaskOptions {
  readonly bytes?: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
  readonly locate?: Locate;
}

/** The token of `UploadThreads` in an engine's container. */
export const UploadThreadsToken = createToken<UploadThreads>('engine.upload_threads');

/**
 * Threads that do one task at a time: unpacking with blocking calls takes a third of the time, and keeps nobody waiting.
 * A thread that has failed, or was given up, ends.
 */
@injectable()
export class UploadThreads {
  readonly #pool: ThreadPool;

  constructor(@inject(WorkersToken) workers: Workers) {
    this.#pool = workers.threadPool(new URL('./upload-worker.js', import.meta.url), {
      maxThreads,
      heapMiB,
      youngHeapMiB,
      maxIdle,
      idleMs,
    });
  }

  /**
   * Bytes are passed on as fast as the thread takes them in, and never held as a whole. Throws what the task or the source
   * of the bytes throws, and the signal's reason.
   */
  async run<N extends UploadTaskName>(
    task: N,
    input: InputOf<N>,
    { bytes, signal = never, locate }: UploadTaskOptions = {},
  ): Promise<ResultOf<N>> {
    const thread = await this.#pool.acquire(signal);
    thread.ref();
    const running = new RunningTask(thread, task, input, locate);
    const abort = (): void => running.fail(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    const sent = bytes === undefined ? undefined : running.send(bytes);
    sent?.catch((error: unknown) => running.fail(error));
    let isUsable = false;
    try {
      const result = await running.ended;
      isUsable =
        bytes === undefined || (running.hasSentAll && running.sentBytes <= maxReusableBytes);
      return result;
    } finally {
      signal.removeEventListener('abort', abort);
      running.stop();
      if (isUsable) this.#pool.release(thread);
      else await this.#pool.destroy(thread);
    }
  }
}

interface Settle<R> {
  readonly resolve: (result: R) => void;
  readonly reject: (reason: unknown) => void;
}

/** A task in a thread, for as long as it takes. */
class RunningTask<N extends UploadTaskName> {
  /** The result of the task. */
  readonly ended: Promise<ResultOf<N>>;
  readonly #worker: WorkerHandle;
  readonly #locate: Locate;
  #settle: Settle<ResultOf<N>> | null = null;
  /** Whether nothing of what was given to it comes any more. */
  hasSentAll = false;
  sentBytes = 0;
  #credit = maxPiecesAhead;
  #wake = (): void => {};

  constructor(
    worker: WorkerHandle,
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
    worker.listen({
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the thread sends nothing else
      message: (message) => this.#receive(message as FromThread<N>),
      ended: (error) => this.fail(toUploadError(error)),
    });
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
    this.#worker.listen(null);
  }

  #receive(message: FromThread<N>): void {
    if ('taken' in message) {
      this.#credit++;
      this.#wake();
    } else if ('locate' in message) {
      this.#tell(message.locate).catch((error: unknown) => this.fail(error));
    } else if ('error' in message) {
      this.fail(errorOf(message.error));
    } else {
      this.#settle?.resolve(message.result);
      this.#end();
    }
  }

  async #tell(source: LocateRequest): Promise<void> {
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
function toUploadError(error: Error): Error {
  const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (!isMemory) return error;
  return new TroveError('payload_too_large', 'The upload needs more memory than one may take');
}

function errorOf({ code, detail, suggestions }: ThreadError): Error {
  return code === null ? new Error(detail) : new TroveError(code, detail, { suggestions });
}
