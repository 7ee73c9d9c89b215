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

/** Pieces that are sent before the thread has consumed the first one. */
const maxPiecesAhead = 4;
/** In MiB. The old and new states of 200,000 files need less. */
const heapMiB = 512;
/** In MiB. The bytes of pieces soon become garbage. A larger young heap would collect them later and take more memory. */
const youngHeapMiB = 4;
/** How long an idle thread is kept. Starting one takes longer than most manifests. */
const idleMs = 2000;
const maxIdle = 2;
/** Each upload occupies a thread until its last byte has arrived. */
const maxThreads = 64;
const never = createAbortController().signal;
/** After more bytes, a thread's heap has grown and would stay large, so the thread ends. */
const maxReusableBytes = 1024 * 1024;

export interface UploadTaskOptions {
  readonly bytes?: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
  readonly locate?: Locate;
}

/** The token of `UploadThreads` in an engine's container. */
export const UploadThreadsToken = createToken<UploadThreads>('engine.upload_threads');

/**
 * Threads that run one task at a time. In a thread, blocking calls take a third of the time and block no caller. A thread
 * ends after a failure or an abort.
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
   * Passes bytes on as fast as the thread consumes them. Throws errors of the task and of the bytes, and the reason of the
   * signal.
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
    const sending = bytes === undefined ? undefined : running.send(bytes);
    sending?.catch((error: unknown) => running.fail(error));
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

/** A task that runs in a thread. */
class RunningTask<N extends UploadTaskName> {
  /** The result of the task. */
  readonly ended: Promise<ResultOf<N>>;
  readonly #worker: WorkerHandle;
  readonly #locate: Locate;
  #settle: Settle<ResultOf<N>> | null = null;
  /** Whether all data was sent. */
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

  /** Sends all bytes, or stops when the task has ended. */
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
      // Copies the piece, because its memory may contain others.
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

  /** Detaches the task from its thread. */
  stop(): void {
    this.#end();
    this.#worker.listen(null);
  }

  #receive(message: FromThread<N>): void {
    if ('taken' in message) {
      this.#credit++;
      this.#wake();
    } else if ('locate' in message) {
      this.#answerLocate(message.locate).catch((error: unknown) => this.fail(error));
    } else if ('error' in message) {
      this.fail(errorOf(message.error));
    } else {
      this.#settle?.resolve(message.result);
      this.#end();
    }
  }

  async #answerLocate(source: LocateRequest): Promise<void> {
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

/** Blames the upload for a lack of memory, because only client data can need this amount. */
function toUploadError(error: Error): Error {
  const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (!isMemory) return error;
  return new TroveError('payload_too_large', 'The upload needs more memory than allowed');
}

function errorOf({ code, detail, suggestions }: ThreadError): Error {
  return code === null ? new Error(detail) : new TroveError(code, detail, { suggestions });
}
