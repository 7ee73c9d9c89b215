// Writes the generated files of every client from packages/operations/openapi.json, and removes what is no longer generated.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { generateClients, readDocument } from './generator/index.js';

for (const { folder, files } of await generateClients(readDocument())) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (!files.has(name)) rmSync(new URL(name, folder), { recursive: true });
  }
  for (const [name, code] of files) writeFileSync(new URL(name, folder), code);
  process.stdout.write(`${files.size} files in ${fileURLToPath(folder)}\n`);
}
