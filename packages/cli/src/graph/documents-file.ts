import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import type { AddDocumentsRequest } from '@trove/client';

import { UsageError } from '@trove/commands';

import { errorCode } from '../session/system-errors.js';

/**
 * Reads documents from a file with one JSON object per line: `{"text": …, "id"?, "metadata"?, "triplets"?}`. Throws a
 * UsageError.
 */
export function readDocuments(file: string, cwd: string): AddDocumentsRequest {
  const lines = readText(resolve(cwd, file)).split('\n');
  const documents = lines.flatMap((line, at) =>
    line.trim() === '' ? [] : [parseDocument(line, at)],
  );
  if (documents.length === 0) throw new UsageError(`${file} has no documents`, [lineFormat]);
  const has = (name: string): boolean => documents.some((document) => name in document);
  const missing = documents.findIndex(({ id }) => typeof id !== 'string');
  if (has('id') && missing >= 0) {
    throw new UsageError(`${file}: document ${missing + 1} has no id, but others have one`, [
      'Give all documents an id, or none.',
    ]);
  }
  return {
    documents: documents.map(({ text }) => text),
    ...(has('id') ? { ids: documents.map(({ id }) => String(id)) } : {}),
    ...(has('metadata') ? { metadatas: documents.map(({ metadata }) => metadata ?? {}) } : {}),
    ...(has('triplets') ? { triplets: documents.map(({ triplets }) => triplets ?? []) } : {}),
  };
}

const lineFormat =
  'Write lines such as {"id": "a", "text": "…", "metadata": {}, "triplets": [["a", "knows", "b"]]}';

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read ${path} (${errorCode(error)})`, [
      'Name a file that you can read.',
    ]);
  }
}

interface DocumentLine {
  readonly text: string;
  readonly id?: unknown;
  readonly metadata?: Record<string, unknown>;
  readonly triplets?: NonNullable<AddDocumentsRequest['triplets']>[number];
}

function parseDocument(line: string, at: number): DocumentLine {
  const value = parseJson(line);
  if (!isDocument(value)) {
    throw new UsageError(`line ${at + 1}: must be a JSON object with \`text\``, [lineFormat]);
  }
  return value;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Checks only the text, because the server validates the rest. */
function isDocument(value: unknown): value is DocumentLine {
  return (
    typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'
  );
}
