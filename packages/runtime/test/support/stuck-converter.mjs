import { writeFileSync } from 'node:fs';

// Plain JavaScript: the loader of the tests does not reach the first file of a thread.

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Treats a document as the path of a file, creates the file and never ends. Returns an empty document. */
export default {
  kind: 'converter',
  apiVersion: 1,
  keys: ['image/png'],
  configSchema: { type: 'object' },
  workerModule: import.meta.url,
  create: () => ({
    version: 'stuck 1',
    convert: async ({ bytes }) => {
      if (bytes.length === 0) return { markdown: 'nothing' };
      writeFileSync(new TextDecoder().decode(bytes), '');
      Atomics.wait(pause, 0, 0);
      return { markdown: 'never' };
    },
  }),
};
