// Plain JavaScript: the loader of the tests does not reach the first file of a thread.

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
      for (const taken = []; ;)
        taken.push(Array.from({ length: 60_000_000 }, () => taken.length + 0.5));
    },
  }),
};
