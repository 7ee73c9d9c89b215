// The floor of a grep without ripgrep: reads every file of a tree and searches the bytes for a literal.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { answerWith } from '../child.mjs';

answerWith(({ folder, literal, runs }) => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return { times: Array.from({ length: runs }, () => timed(files, literal)) };
});

function timed(files, literal) {
  const started = performance.now();
  for (const file of files) readFileSync(file).indexOf(literal);
  return performance.now() - started;
}
