// Writes the generated pages of docs/reference.
import { mkdir, writeFile } from 'node:fs/promises';
import { referencePages } from './lib/reference.js';

const folder = new URL('../../../docs/reference/', import.meta.url);
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(referencePages())) {
  await writeFile(new URL(name, folder), text);
}
