// Plain JavaScript: the loader of the tests does not reach the first file of a thread.

/** A string of more than 512 MB. */
const characters = 2 ** 29 - 100;

/** Allocates 512 MB of heap at once, repeatedly, which ends the process. */
export default {
  kind: 'converter',
  apiVersion: 1,
  keys: ['image/png'],
  configSchema: { type: 'object' },
  workerModule: import.meta.url,
  create: () => ({
    version: 'huge 1',
    convert: async () => {
      const taken = [];
      for (;;) {
        const text = 'x'.repeat(characters) + taken.length;
        // The string is lazy until it is read.
        text.charCodeAt(0);
        taken.push(text);
      }
    },
  }),
};
