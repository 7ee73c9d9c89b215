// Writes openapi.json: the description of all routes, for client generators.
import { writeFile } from 'node:fs/promises';
import { openApiDocument } from '../src/openapi/document.js';
import { routes } from '../src/routes/table.js';

const text = JSON.stringify(openApiDocument(routes), null, 2);
await writeFile(new URL('../openapi.json', import.meta.url), `${text}\n`);
