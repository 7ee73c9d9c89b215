// The floor of a sync without changes: reads every folder of a tree and stats every file from a warm cache.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { answerWith } from '../child.mjs';

answerWith(({ folder, runs }) => ({ times: Array.from({ length: runs }, () => timed(folder)) }));

function timed(folder) {
  const started = performance.now();
  walk(folder);
  return performance.now() - started;
}

function walk(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) walk(path);
    else statSync(path);
  }
}
