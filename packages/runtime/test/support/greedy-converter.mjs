// Plain JavaScript: the loader of the tests does not reach the first file of a thread.

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Allocates 100 MB per second outside its heap and never ends. */
export default {
  kind: 'converter',
  apiVersion: 1,
  keys: ['image/png'],
  configSchema: { type: 'object' },
  workerModule: import.meta.url,
  create: () => ({
    version: 'greedy 1',
    convert: async () => {
      for (const taken = []; ;) {
        taken.push(new Uint8Array(4_000_000).fill(1));
        Atomics.wait(pause, 0, 0, 40);
      }
    },
  }),
};
