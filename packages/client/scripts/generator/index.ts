import { readFileSync } from 'node:fs';

import { format, type FormatConfig } from 'oxfmt';

import type { OpenApiDocument } from './document.js';
import { pythonFiles } from './python/files.js';
import { typescriptFiles } from './typescript/files.js';

const at = (path: string) => new URL(path, import.meta.url);
const read = (path: string) => JSON.parse(readFileSync(at(path), 'utf8'));

/** A generated client: its folder, and its files by name. */
export interface GeneratedClient {
  readonly folder: URL;
  readonly files: ReadonlyMap<string, string>;
}

/** Reads the checked-in document of all operations. */
export function readDocument(): OpenApiDocument {
  const document: OpenApiDocument = read('../../../operations/openapi.json');
  return document;
}

/** Generates every client of the document. */
export async function generateClients(document: OpenApiDocument): Promise<GeneratedClient[]> {
  return [
    { folder: at('../../src/generated/'), files: await generateTypescript(document) },
    {
      folder: at('../../../client-python/src/trove_client/generated/'),
      files: pythonFiles(document),
    },
  ];
}

/** Returns the formatted files of `src/generated` by name. */
export async function generateTypescript(document: OpenApiDocument): Promise<Map<string, string>> {
  const style: FormatConfig = read('../../../../.oxfmtrc.json');
  const files = new Map<string, string>();
  for (const [name, source] of typescriptFiles(document)) {
    const { code, errors } = await format(name, source, style);
    if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}\n${source}`);
    files.set(name, code);
  }
  return files;
}
