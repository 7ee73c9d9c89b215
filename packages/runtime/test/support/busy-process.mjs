import { writeFileSync } from 'node:fs';
import { serveCalls } from '@trove/runtime/workers';

// Plain JavaScript: the loader of the tests does not reach the first file of a process.

serveCalls(() => ({
  /** Prints its process id and never ends. */
  spin: ({ file }) => {
    writeFileSync(file, String(process.pid));
    for (;;);
  },
}));
