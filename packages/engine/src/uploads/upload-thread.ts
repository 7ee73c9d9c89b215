import { Worker } from 'node:worker_threads';
import { TroveError } from '@trove/core';
import type {
  FromThread,
  InputOf,
  Locate,
  ResultOf,
  ThreadError,
  ToThread,
  UploadTaskName,
} from './messages.js';
import type { WhereIs } from './tasks/manifest.js';

/** Pieces sent before the thread has taken the first one in. */
const piecesAhead = 4;
/** MiB. What is known about 200,000 files, before and after, needs less. */
const heapMiB = 512;
/** MiB. The bytes of pieces are soon garbage; with more room they are collected later, and take more memory. */
const youngHeapMiB = 4;

export interface ThreadOptions {
  readonly bytes?: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
  readonly locate?: Locate;
}

/**
 * Runs a task in a thread of its own, which ends with it: unpacking with blocking calls takes a third of the time, and
 * keeps nobody waiting. Bytes are passed on as fast as the thread takes them in, and never held as a whole. Throws what
 * the task or the source of the bytes throws, and the signal's reason.
 */
export async function runInThread<N extends UploadTaskName>(
  task: N,
  input: InputOf<N>,
  { bytes, signal, locate }: ThreadOptions = {},
): Promise<ResultOf<N>> {
  signal?.throwIfAborted();
  const thread = new UploadThread(task, input, locate);
  const abort = (): void => thread.fail(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const sent = bytes === undefined ? undefined : thread.send(bytes);
  sent?.catch((error: unknown) => thread.fail(error));
  try {
    return await thread.ended;
  } finally {
    signal?.removeEventListener('abort', abort);
    await thread.stop();
  }
}

interface Settle<R> {
  readonly resolve: (result: R) => void;
  readonly reject: (reason: unknown) => void;
}

class UploadThread<N extends UploadTaskName> {
  /** The result of the task. */
  readonly ended: Promise<ResultOf<N>>;
  readonly #worker: Worker;
  readonly #locate: Locate;
  #settle: Settle<ResultOf<N>> | null = null;
  #credit = piecesAhead;
  #wake = (): void => {};

  constructor(task: N, input: InputOf<N>, locate: Locate = () => Promise.resolve(null)) {
    this.#locate = locate;
    this.ended = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.ended.catch(() => undefined);
    this.#worker = new Worker(new URL('./upload-worker.js', import.meta.url), {
      workerData: { task, input },
      resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: youngHeapMiB },
      execArgv: [],
    });
    this.#worker.on('message', (message: FromThread<N>) => this.#receive(message));
    this.#worker.on('error', (error) => this.fail(lost(error)));
    this.#worker.on('exit', () => this.fail(new Error('the thread of an upload ended')));
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
      // A copy of its own: the memory around a piece may hold others.
      const own = new Uint8Array(piece);
      this.#post({ piece: own }, [own.buffer]);
    }
    this.#post({ piece: null });
  }

  fail(reason: unknown): void {
    this.#settle?.reject(reason);
    this.#end();
  }

  async stop(): Promise<void> {
    this.#end();
    await this.#worker.terminate();
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

  #post(message: ToThread, moved: readonly ArrayBuffer[] = []): void {
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
