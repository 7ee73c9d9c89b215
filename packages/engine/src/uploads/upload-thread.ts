import { Worker } from 'node:worker_threads';
import { TroveError } from '@trove/core';
import type { FromThread, ThreadError, ToThread, UploadTaskName, UploadTasks } from './messages.js';

/** Pieces sent before the thread has taken the first one in. */
const piecesAhead = 4;
/** MiB. What is known about 200,000 files, before and after, needs less. */
const heapMiB = 512;
/** MiB. The bytes of pieces are soon garbage; with more room they are collected later, and take more memory. */
const youngHeapMiB = 4;

export interface ThreadOptions {
  readonly bytes?: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
  /** Answers a question of the task. */
  readonly answer?: (question: unknown) => Promise<unknown>;
}

/**
 * Runs a task in a thread of its own, which ends with it: unpacking with blocking calls takes a third of the time, and
 * keeps nobody waiting. Bytes are passed on as fast as the thread takes them in, and never held as a whole. Throws what
 * the task or the source of the bytes throws, and the signal's reason.
 */
export async function runInThread<N extends UploadTaskName>(
  task: N,
  input: UploadTasks[N]['input'],
  { bytes, signal, answer }: ThreadOptions = {},
): Promise<UploadTasks[N]['result']> {
  signal?.throwIfAborted();
  const thread = new UploadThread(task, input);
  const abort = (): void => thread.fail(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  if (answer !== undefined) thread.answerWith(answer);
  const sent = bytes === undefined ? undefined : thread.send(bytes);
  sent?.catch((error: unknown) => thread.fail(error));
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the thread runs the task of this name
    return (await thread.ended) as UploadTasks[N]['result'];
  } finally {
    signal?.removeEventListener('abort', abort);
    await thread.stop();
  }
}

class UploadThread {
  /** The result of the task. */
  readonly ended: Promise<unknown>;
  readonly #worker: Worker;
  #settle: { resolve: (result: unknown) => void; reject: (reason: unknown) => void } | null = null;
  #answer: ((question: unknown) => Promise<unknown>) | null = null;
  #credit = piecesAhead;
  #wake = (): void => {};

  constructor(task: UploadTaskName, input: object) {
    this.ended = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.ended.catch(() => undefined);
    this.#worker = new Worker(new URL('./upload-worker.js', import.meta.url), {
      workerData: { task, input },
      resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: youngHeapMiB },
      execArgv: [],
    });
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', (error) => this.fail(lost(error)));
    this.#worker.on('exit', () => this.fail(new Error('the thread of an upload ended')));
  }

  answerWith(answer: (question: unknown) => Promise<unknown>): void {
    this.#answer = answer;
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

  #receive(message: FromThread): void {
    if ('taken' in message) {
      this.#credit++;
      this.#wake();
    } else if ('question' in message) {
      this.#answerTo(message.question).catch((error: unknown) => this.fail(error));
    } else if ('error' in message) {
      this.fail(errorOf(message.error));
    } else {
      this.#settle?.resolve(message.result);
      this.#end();
    }
  }

  async #answerTo(question: unknown): Promise<void> {
    this.#post({ answer: await this.#answer?.(question) });
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
