import { setImmediate as immediate } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';

import { buildFilter } from '../grep/filter/build-filter.js';
import { loadFilter } from '../grep/filter/load-filter.js';
import { grep } from '../grep/grep-task.js';
import { trials } from '../grep/trial-task.js';
import { browse } from '../tasks/browse.js';
import { check } from '../tasks/check.js';
import { list } from '../tasks/list.js';
import { read } from '../tasks/read.js';
import { stat } from '../tasks/stat.js';
import { toWire } from './errors.js';
import { maxBatchesInTransit, type CallMessage, type FlowMessage } from './protocol.js';

// The entry point of the worker threads. Synchronous I/O takes a fifth of the time and blocks only this thread.

/** Handlers of flow messages, by id of the call. */
const flowHandlers = new Map<number, (flow: FlowMessage['flow']) => void>();

parentPort?.on('message', (message: CallMessage | FlowMessage) => {
  if ('flow' in message) flowHandlers.get(message.id)?.(message.flow);
  else void answer(message);
});

async function answer(message: CallMessage): Promise<void> {
  const { id } = message;
  try {
    const result = await runTask(message);
    post(id, { result }, transferListOf([result]));
  } catch (error) {
    post(id, { error: toWire(error) });
  } finally {
    flowHandlers.delete(id);
  }
}

function post(id: number, content: object, memory: ArrayBuffer[] = []): void {
  parentPort?.postMessage({ id, answer: content }, memory);
}

function runTask(message: CallMessage): unknown {
  switch (message.task) {
    case 'list':
      return sendBatches(list(message.input), message.id);
    case 'browse':
      return sendBatches(browse(message.input), message.id);
    case 'grep':
      return sendBatches(grep(message.input), message.id);
    case 'trials':
      return sendBatches(trials(message.input), message.id);
    case 'loadFilter':
      return loadFilter(message.input);
    case 'buildFilter':
      return sendBatches(buildFilter(message.input), message.id);
    case 'read':
      return sendBatches(read(message.input), message.id);
    case 'stat':
      return stat(message.input);
    case 'check':
      return check(message.input);
  }
}

/** Sends the batches of a task, at most a few ahead of the caller, until a stop message arrives. */
async function sendBatches<I, R>(task: Iterator<I[], R>, id: number): Promise<R | undefined> {
  let credit = maxBatchesInTransit;
  let stopped = false;
  let wake = (): void => {};
  flowHandlers.set(id, (flow) => {
    if (flow === 'stop') stopped = true;
    else credit++;
    wake();
  });
  for (let step = task.next(); ; step = task.next()) {
    if (step.done === true) return step.value;
    if (step.value.length > 0) {
      sendBatch(id, step.value);
      credit--;
    }
    // One turn of the event loop delivers other calls and the stop message.
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

function sendBatch(id: number, batch: readonly unknown[]): void {
  const memory = transferListOf(batch);
  if (memory.length > 0) post(id, { batch }, memory);
  else post(id, { json: JSON.stringify(batch) });
}

/** Returns the buffers to transfer instead of copying them. */
function transferListOf(values: readonly unknown[]): ArrayBuffer[] {
  const arrays = values.map((value) => (isColumns(value) ? value.numbers : value));
  return arrays.flatMap((array) =>
    ArrayBuffer.isView(array) && array.buffer instanceof ArrayBuffer ? [array.buffer] : [],
  );
}

function isColumns(value: unknown): value is { readonly numbers: unknown } {
  return typeof value === 'object' && value !== null && 'numbers' in value;
}
