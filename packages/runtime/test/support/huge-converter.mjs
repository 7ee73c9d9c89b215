// Plain JavaScript: the loader of the tests does not reach the first file of a thread.

/** More than half a gigabyte, as one text. */
const characters = 2 ** 29 - 100;

/** Asks for half a gigabyte of its heap at once, which ends a process, again and again. */
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
        // Until somebody looks at it, it is only told how to make it.
        text.charCodeAt(0);
        taken.push(text);
      }
    },
  }),
};
