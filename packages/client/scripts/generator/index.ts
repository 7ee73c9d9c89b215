import { readFileSync } from 'node:fs';

import { format, type FormatConfig } from 'oxfmt';

import type { OpenApiDocument } from './document.js';
import { clientFiles } from './files.js';

const at = (path: string) => new URL(path, import.meta.url);
const read = (path: string) => JSON.parse(readFileSync(at(path), 'utf8'));

export const GENERATED = at('../../src/generated/');

/** The server's document, as it is checked in. */
export function readDocument(): OpenApiDocument {
  const document: OpenApiDocument = read('../../../server/openapi.json');
  return document;
}

/** The files of `src/generated`, formatted as the whole project is, by name. */
export async function generateClient(document: OpenApiDocument): Promise<Map<string, string>> {
  const style: FormatConfig = read('../../../../.oxfmtrc.json');
  const files = new Map<string, string>();
  for (const [name, source] of clientFiles(document)) {
    const { code, errors } = await format(name, source, style);
    if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}\n${source}`);
    files.set(name, code);
  }
  return files;
}
