import { TroveError, type Infer, type JsonSchema } from '@trove/core';
import { acceptRequest } from 'trove';
import { textValue } from '../../text-value.js';
import { bytesOf, isPlain, piecewise, requireBody } from './bytes.js';
import { checkJson } from './check-json.js';
import { readParts, type FilePart } from './parts.js';
import type { BodyContext, RequestBody } from './request-body.js';
import { Spool } from './spool.js';

/** A file of a form. */
export interface FormFile {
  /** As the client calls it, without its folder. */
  readonly name: string;
  /** The media type that the client gives. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** Its content, as often as wanted until the handler has ended. */
  read(): AsyncIterable<Uint8Array>;
}

export interface Form<F> {
  readonly fields: F;
  readonly files: readonly FormFile[];
}

export interface FormOptions<S extends JsonSchema> {
  /** Of the form's fields but the files: scalars, written as in a query. */
  readonly fields: S;
  /** The name of the field that holds the files; it is repeated for several. At least one is required. */
  readonly files: string;
  readonly maxFiles: number;
  /** Of the whole body; default: the host's limit. */
  readonly maxBytes?: number;
}

const mediaType = 'multipart/form-data';
const maxNameChars = 1024;

/** A multipart form. Its files wait on the disk, and are gone when the handler has ended, however it ends. */
export function formBody<const S extends JsonSchema>(
  options: FormOptions<S>,
): RequestBody<Form<Infer<S>>> {
  return {
    content: { [mediaType]: formSchema(options) },
    receive: async (incoming) => {
      const { ctx, limits } = incoming;
      requireBody(ctx);
      requireForm(ctx);
      const spool = await Spool.open();
      try {
        const maxBytes = options.maxBytes ?? limits.uploadBytes;
        const bytes = bytesOf(incoming, maxBytes, piecewise(limits));
        const { fields, files } = await readParts(bytes, ctx.get('content-type'), options, spool);
        const value = {
          fields: fieldsOf(fields, options.fields),
          files: filesOf(files, options, spool),
        };
        return { value, release: () => spool.close() };
      } catch (error) {
        await spool.close();
        throw error;
      }
    },
  };
}

function formSchema<S extends JsonSchema>({ fields, files, maxFiles }: FormOptions<S>): JsonSchema {
  const file: JsonSchema = { type: 'string', format: 'binary' };
  return {
    ...fields,
    type: 'object',
    properties: {
      [files]: {
        type: 'array',
        items: file,
        minItems: 1,
        maxItems: maxFiles,
        description: 'Each with its name.',
      },
      ...fields.properties,
    },
    required: [files, ...(fields.required ?? [])],
    additionalProperties: false,
  };
}

function requireForm(ctx: BodyContext): void {
  if (ctx.is([mediaType]) !== false && isPlain(ctx)) return;
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
    if (values.has(name)) throw new TroveError('validation_error', 'body: has a field twice');
    values.set(name, textValue(text, schema.properties?.[name] ?? {}));
  }
  const fields = Object.fromEntries(values);
  checkJson(fields);
  return acceptRequest(schema, fields, 'body');
}

function filesOf(
  parts: readonly FilePart[],
  { files }: Pick<FormOptions<JsonSchema>, 'files'>,
  spool: Spool,
): FormFile[] {
  if (parts.some(({ field }) => field !== files)) {
    throw new TroveError('validation_error', `body: files belong into the field \`${files}\``);
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
    read: () => spool.read(span),
  }));
}
