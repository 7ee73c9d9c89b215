import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a small source that requests may add, sync, cancel and remove. */
export function writeScratch(folder) {
  mkdirSync(join(folder, 'below/deeper'), { recursive: true });
  for (const name of ['a.md', 'b.txt', 'below/c.ts', 'below/deeper/d.json']) {
    writeFileSync(join(folder, name), `{"what": "a scratch file named ${name}, about an otter"}\n`);
  }
}
