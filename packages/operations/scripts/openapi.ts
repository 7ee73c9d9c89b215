// Writes openapi.json: the description of all operations, for client generators.
import { readFile, writeFile } from 'node:fs/promises';
import { openApiDocument, operations } from '../src/index.js';

const manifest: unknown = JSON.parse(
  await readFile(new URL('../package.json', import.meta.url), 'utf8'),
);
const { version } = Object(manifest);
const text = JSON.stringify(openApiDocument(operations, String(version)), null, 2);
await writeFile(new URL('../openapi.json', import.meta.url), `${text}\n`);
