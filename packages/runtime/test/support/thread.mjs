import { getPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { TroveError } from '@trove/core';
import { loadWorkerPlugin } from '@trove/runtime';
import { serveCalls } from '@trove/runtime/workers';

// Plain JavaScript: the loader of the tests does not reach the first file of a thread.

const priorityAtFirst = getPriority();

/** Throws when it is inspected. */
const trapped = new Proxy(new Error('unseen'), {
  getPrototypeOf() {
    throw new Error('trap');
  },
});

serveCalls(
  ({ converter }) => ({
    thread: () => threadId,
    priority: () => [priorityAtFirst, getPriority()],
    measure: ({ bytes }) => ({ length: bytes.length, bytes }),
    count: async ({ to }, send) => {
      for (let at = 1; at < to; at++) {
        send({ bytes: Uint8Array.of(at) });
        await sleep(1);
      }
      return to;
    },
    wait: async ({ ms }) => {
      await sleep(ms);
      return threadId;
    },
    spin: () => {
      for (;;);
    },
    die: () => process.exit(1),
    refuse: ({ plain }) => {
      if (plain) throw new Error('out of range');
      throw new TroveError('embedding_quota_exceeded', 'no more', {
        suggestions: ['Wait a day.'],
        retryable: true,
        retryAfterMs: 5000,
      });
    },
    drop: async () => {
      void Promise.reject(new Error('nobody awaits this'));
      setTimeout(() => {
        throw trapped;
      });
      await sleep(20);
      return threadId;
    },
    convert: async ({ text }) => {
      if (converter === null) throw new Error('there is none');
      const { signal } = new AbortController();
      const guard = await loadWorkerPlugin(converter);
      const request = {
        bytes: Buffer.from(text),
        mediaType: 'text/x-test',
        path: 'a.test',
        signal,
      };
      const { markdown } = await guard.call('convert', 1000, signal, (own) => own.convert(request));
      return markdown;
    },
  }),
  (result) => (result.bytes?.buffer instanceof ArrayBuffer ? [result.bytes.buffer] : []),
);
