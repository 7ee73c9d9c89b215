import { TroveError, type Infer, type JsonSchema } from '@trove/core';
import type { FormBody } from '@trove/operations';
import { acceptRequest } from 'trove';
import { textValue } from '../../text-value.js';
import { receiveBytes, isUncompressed, progressTimeout, requireBody } from './bytes.js';
import { checkJson } from './check-json.js';
import { readParts, type FilePart } from './parts.js';
import type { BodyContext, IncomingBody, ReceivedBodyValue } from './incoming.js';
import { TemporaryFile } from './temporary-file.js';

/** A file of a form. */
export interface FormFile {
  /** The file name that the client gave, without its folder. */
  readonly name: string;
  /** The media type that the client gave. */
  readonly type: string;
  /** Size in bytes. */
  readonly size: number;
  /** Reads the content. May be called repeatedly until the handler has ended. */
  read(): AsyncIterable<Uint8Array>;
}

export interface MultipartForm<F> {
  readonly fields: F;
  readonly files: readonly FormFile[];
}

const mediaType = 'multipart/form-data';
const maxNameChars = 1024;

/** Receives a multipart form. Its files are stored on disk and deleted when the handler has ended. */
export async function receiveForm<S extends JsonSchema>(
  body: FormBody<S>,
  incoming: IncomingBody,
): Promise<ReceivedBodyValue<MultipartForm<Infer<S>>>> {
  const { ctx, limits } = incoming;
  requireBody(ctx);
  requireForm(ctx);
  const temporaryFile = await TemporaryFile.open();
  try {
    const bytes = receiveBytes(
      incoming,
      body.maxBytes ?? limits.uploadBytes,
      progressTimeout(limits),
    );
    const { fields, files } = await readParts(bytes, ctx.get('content-type'), body, temporaryFile);
    const value = {
      fields: fieldsOf(fields, body.fields),
      files: filesOf(files, body, temporaryFile),
    };
    return { value, release: () => temporaryFile.close() };
  } catch (error) {
    await temporaryFile.close();
    throw error;
  }
}

function requireForm(ctx: BodyContext): void {
  if (ctx.is([mediaType]) !== false && isUncompressed(ctx)) return;
  throw new TroveError('unsupported_media_type', `header.content-type: must be ${mediaType}`, {
    suggestions: [`Send a form as ${mediaType}, without a Content-Encoding.`],
  });
}

function fieldsOf<const S extends JsonSchema>(
  texts: readonly (readonly [string, string])[],
  schema: S,
): Infer<S> {
  const values = new Map<string, unknown>();
  for (const [name, text] of texts) {
    if (values.has(name)) throw new TroveError('validation_error', 'body: has a repeated field');
    values.set(name, textValue(text, schema.properties?.[name] ?? {}));
  }
  const fields = Object.fromEntries(values);
  checkJson(fields);
  return acceptRequest(schema, fields, 'body');
}

function filesOf(
  parts: readonly FilePart[],
  { files }: Pick<FormBody, 'files'>,
  temporaryFile: TemporaryFile,
): FormFile[] {
  if (parts.some(({ field }) => field !== files)) {
    throw new TroveError('validation_error', `body: files must be in the field \`${files}\``);
  }
  if (parts.length === 0) throw new TroveError('validation_error', `body.${files}: is required`);
  if (parts.some(({ name }) => name.length > maxNameChars)) {
    throw new TroveError(
      'validation_error',
      `body.${files}: a name must be at most ${maxNameChars} characters`,
    );
  }
  return parts.map(({ name, type, span }) => ({
    name,
    type,
    size: span.size,
    read: () => temporaryFile.read(span),
  }));
}
