// Writes docs/reference/sources.md and the table of README.md from the package.json of each connector.
import { writeFile } from 'node:fs/promises';
import { sourceFiles } from './lib/sources.js';

for (const [path, text] of Object.entries(await sourceFiles()))
  await writeFile(new URL(`../../../${path}`, import.meta.url), text);
