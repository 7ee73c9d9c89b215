import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import { isTroveError, TroveError } from '@trove/core';
import type { FileRange, TemporaryFile } from './temporary-file.js';

/** A file of a form in the temporary file. */
export interface FilePart {
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly span: FileRange;
}

interface FormParts {
  readonly fields: readonly (readonly [name: string, text: string])[];
  readonly files: readonly FilePart[];
}

const maxFields = 100;
const maxFieldBytes = 64 * 1024;
const maxHeaderBytes = 16 * 1024;

/**
 * Reads the parts of a multipart form and writes its files to the temporary file. Throws `validation_error` for
 * an invalid form, `payload_too_large` above a limit, and errors of `bytes`.
 */
export async function readParts(
  bytes: AsyncIterable<Uint8Array>,
  contentType: string,
  { maxFiles }: { readonly maxFiles: number },
  temporaryFile: TemporaryFile,
): Promise<FormParts> {
  const parser = await parserFor(contentType, maxFiles);
  const fields: [string, string][] = [];
  const files: FilePart[] = [];
  const open = new Set<BusboyFileStream>();
  let writing = Promise.resolve();

  const refuse = (what: string) => (): void => void parser.destroy(tooLargeError(what));
  parser.on('field', (name, text, _nameCut, textCut) => {
    if (textCut) refuse(`a field of more than ${maxFieldBytes} bytes`)();
    fields.push([name, text]);
  });
  parser.on('file', (field, stream, name, _encoding, type) => {
    open.add(stream);
    const store = async (): Promise<void> => {
      const span = await temporaryFile.append(stream);
      // A browser sends an empty file without a name for an empty file input.
      if (name === '' && span.size === 0) return;
      files.push({ field, name, type, span });
    };
    writing = writing.then(store).catch((error: unknown) => void parser.destroy(asError(error)));
  });
  parser.on('filesLimit', refuse(`more than ${maxFiles} files`));
  parser.on('fieldsLimit', refuse(`more than ${maxFields} fields`));
  parser.on('partsLimit', refuse(`more than ${maxFiles + maxFields} parts`));
  try {
    await pipeline(Readable.from(bytes, { objectMode: false }), parser);
    await writing;
    return { fields, files };
  } catch (error) {
    for (const stream of open) stream.destroy();
    await writing;
    throw isTroveError(error) ? error : invalidFormError(error);
  }
}

async function parserFor(contentType: string, maxFiles: number): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy');
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        files: maxFiles,
        fields: maxFields,
        fieldSize: maxFieldBytes,
        parts: maxFiles + maxFields,
        headerSize: maxHeaderBytes,
      },
    });
  } catch (error) {
    throw invalidFormError(error);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function tooLargeError(what: string): TroveError {
  return new TroveError('payload_too_large', `body: must not contain ${what}`);
}

function invalidFormError(cause: unknown): TroveError {
  return new TroveError('validation_error', 'body: is not a valid multipart form', {
    cause,
    suggestions: ['Send multipart/form-data with its boundary in the Content-Type.'],
  });
}
