// Writes src/generated from packages/server/openapi.json, and removes what is no longer generated.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';

import { GENERATED, generateClient, readDocument } from './generator/index.js';

const files = await generateClient(readDocument());
mkdirSync(GENERATED, { recursive: true });
for (const name of readdirSync(GENERATED)) {
  if (!files.has(name)) rmSync(new URL(name, GENERATED));
}
for (const [name, code] of files) writeFileSync(new URL(name, GENERATED), code);
process.stdout.write(`${files.size} files in packages/client/src/generated\n`);
