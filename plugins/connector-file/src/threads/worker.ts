import { setImmediate as immediate } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';

import { grep } from '../grep/grep-task.js';
import { browse } from '../tasks/browse.js';
import { check } from '../tasks/check.js';
import { list } from '../tasks/list.js';
import { read } from '../tasks/read.js';
import { stat } from '../tasks/stat.js';
import { toWire } from './errors.js';
import { BATCHES_AHEAD } from './protocol.js';
import type { CallMessage, Request } from './protocol.js';

// The entry point of the worker threads: synchronous I/O costs a fifth of asynchronous I/O, and blocks nobody here.

parentPort?.on('message', (message: CallMessage) => {
  void answer(message);
});

async function answer(message: CallMessage): Promise<void> {
  const { port } = message;
  try {
    const result = await perform(message);
    port.postMessage({ result }, memoryOf([result]));
  } catch (error) {
    port.postMessage({ error: toWire(error) });
  } finally {
    port.close();
  }
}

function perform(message: CallMessage): unknown {
  switch (message.task) {
    case 'list':
      return sendBatches(list(message.input), message.port);
    case 'browse':
      return sendBatches(browse(message.input), message.port);
    case 'grep':
      return sendBatches(grep(message.input), message.port);
    case 'read':
      return sendBatches(read(message.input), message.port);
    case 'stat':
      return stat(message.input);
    case 'check':
      return check(message.input);
  }
}

/** Sends what a task yields, at most a few batches ahead of the caller, until told to stop. */
async function sendBatches<I, R>(
  task: Iterator<I[], R>,
  port: MessagePort,
): Promise<R | undefined> {
  let credit = BATCHES_AHEAD;
  let stopped = false;
  let wake = (): void => {};
  port.on('message', (asked: Request) => {
    if (asked === 'stop') stopped = true;
    else credit++;
    wake();
  });
  for (let step = task.next(); ; step = task.next()) {
    if (step.done === true) return step.value;
    if (step.value.length > 0) {
      postBatch(port, step.value);
      credit--;
    }
    // At least one turn of the event loop lets other calls, and the end of this one, through.
    await immediate();
    while (credit <= 0 && !stopped) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (stopped) {
      task.return?.();
      return undefined;
    }
  }
}

function postBatch(port: MessagePort, batch: readonly unknown[]): void {
  const memory = memoryOf(batch);
  if (memory.length > 0) port.postMessage({ batch }, memory);
  else port.postMessage({ json: JSON.stringify(batch) });
}

/** Bytes are transferred instead of copied. */
function memoryOf(values: readonly unknown[]): ArrayBuffer[] {
  const arrays = values.map((value) => (isColumns(value) ? value.numbers : value));
  return arrays.flatMap((array) =>
    ArrayBuffer.isView(array) && array.buffer instanceof ArrayBuffer ? [array.buffer] : [],
  );
}

function isColumns(value: unknown): value is { readonly numbers: unknown } {
  return typeof value === 'object' && value !== null && 'numbers' in value;
}
