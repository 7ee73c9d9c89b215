import { writeFileSync } from 'node:fs';
import { serveThread } from '@trove/runtime';

// Plain JavaScript: the loader of the tests does not reach the first file of a process.

serveThread(() => ({
  /** Says who it is, and never ends. */
  spin: ({ file }) => {
    writeFileSync(file, String(process.pid));
    for (;;);
  },
}));
