// Writes the generated pages of docs/reference and the manual page.
import { mkdir, writeFile } from 'node:fs/promises';
import { referencePages } from './lib/reference.js';

const root = new URL('../../../', import.meta.url);
for (const [path, text] of Object.entries(await referencePages())) {
  const file = new URL(path, root);
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, text);
}
