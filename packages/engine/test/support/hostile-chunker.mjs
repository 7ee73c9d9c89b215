import { writeFileSync } from 'node:fs';

/** Splits each file in the way that its name says. Only `good` is valid. */
const ways = {
  *endless() {
    for (;;) yield { start: 0, end: 5 };
  },
  promise: async () => [{ start: 0, end: 5 }],
  number: () => 7,
  text: () => 'text',
  symbols: () => [Symbol('piece')],
  nonsense: () => [{ start: Number.NaN, end: '5' }],
  huge: () => [{ start: 0, end: 5, context: 'x'.repeat(100_000_000) }],
  nothing: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- plugins do
    throw undefined;
  },
  trap: () => {
    throw new Proxy(new Error('unseen'), {
      get() {
        throw new Error('trap');
      },
    });
  },
  getter: () => [
    {
      get start() {
        throw new Error('no start');
      },
    },
  ],
  /** Writes the file whose path is the text, then hangs. */
  stuck: (text) => {
    writeFileSync(text, '');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
  stray: () => {
    setTimeout(() => {
      throw new Error('too late');
    });
    void Promise.reject(new Error('nobody awaits this'));
    return null;
  },
  good: () => null,
};

export default {
  split: ({ path, text }) => ways[path.split('.')[0]](text),
};

export const names = Object.keys(ways);
