// Writes src/builtin-packages.ts from the `trove` field of plugins/*/package.json.
import { writeFile } from 'node:fs/promises';
import { builtinPackagesSource } from './lib/builtin-packages.js';

await writeFile(
  new URL('../src/builtin-packages.ts', import.meta.url),
  await builtinPackagesSource(),
);
