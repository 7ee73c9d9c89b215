// Writes docs/reference/cli.md and the manual page from the definitions of the commands.
import { mkdirSync, writeFileSync } from 'node:fs';

import { manPath, manText, referencePath, referenceText } from './reference.js';

for (const [file, text] of [
  [referencePath, await referenceText()],
  [manPath, await manText()],
] as const) {
  mkdirSync(new URL('.', file), { recursive: true });
  writeFileSync(file, text);
}
