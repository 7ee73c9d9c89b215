import { TroveError } from '@trove/core';
import type { WorkerHandle } from '@trove/core/workers';
import { rejection } from '@trove/test-support/rejection.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openWorkers } from '../src/workers/open-workers.js';

const test = suite('workers');

const module = new URL('./support/echo.mjs', import.meta.url);
const { signal } = new AbortController();

/** Sends a message and resolves with the answer. Rejects when the worker ends. */
function ask(worker: WorkerHandle, message: object): Promise<unknown> {
  worker.ref();
  return new Promise((resolve, reject) => {
    worker.listen({ message: resolve, ended: reject });
    worker.postMessage(message);
  });
}

test('a module behaves the same in a thread and a process', async () => {
  const workers = openWorkers();
  try {
    assert.equal(await ask(workers.startThread(module), { n: 1 }), { n: 1 });
    const child = workers.startProcess(module);
    assert.ok((child.pid ?? 0) > 0);
    assert.equal(await ask(child, { n: 2 }), { n: 2 });
  } finally {
    await workers.close();
  }
});

test('a pool lends each thread to one caller at a time and reuses idle ones', async () => {
  const workers = openWorkers();
  try {
    const pool = workers.threadPool(module, { maxThreads: 1 });
    assert.is(workers.threadPool(module, { maxThreads: 9 }), pool);
    const first = await pool.acquire(signal);
    const waiting = pool.acquire(signal);
    const aborted = new AbortController();
    const given = rejection(() => pool.acquire(aborted.signal));
    aborted.abort(new TroveError('cancelled', 'given up'));
    assert.is((await given).code, 'cancelled');
    pool.release(first);
    assert.is(await waiting, first);
    const next = pool.acquire(signal);
    await pool.destroy(first);
    assert.is.not(await next, first);
  } finally {
    await workers.close();
  }
});

test('closing ends all threads and processes and refuses all callers', async () => {
  const workers = openWorkers();
  const pool = workers.threadPool(module, { maxThreads: 1 });
  await pool.acquire(signal);
  const waiting = rejection(() => pool.acquire(signal));
  const ended = [workers.startThread(module), workers.startProcess(module)].map(
    (worker) =>
      new Promise<void>((resolve) => {
        worker.listen({ message: () => undefined, ended: () => resolve() });
      }),
  );
  await workers.close();
  await Promise.all(ended);
  assert.is((await waiting).code, 'engine_closed');
  assert.is((await rejection(() => pool.acquire(signal))).code, 'engine_closed');
  assert.throws(() => workers.startThread(module), /engine is closed/);
  assert.throws(() => workers.threadPool(module, { maxThreads: 1 }), /engine is closed/);
});

test.run();
