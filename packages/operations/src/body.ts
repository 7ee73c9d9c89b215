import type { JsonSchema } from '@trove/core';

/** Schemas by media type; empty without a body. */
type BodySchemas = Readonly<Record<string, JsonSchema>>;

export interface NoBody {
  readonly kind: 'none';
  readonly content: BodySchemas;
}

/** JSON that the server reads completely and validates. */
export interface JsonBody<S extends JsonSchema = JsonSchema> {
  readonly kind: 'json';
  readonly content: BodySchemas;
  readonly schema: S;
  /** Default: the host's limit for JSON. */
  readonly maxBytes?: number;
}

/** Large JSON as bytes, which the handler parses and validates in a thread. */
export interface StreamedJsonBody {
  readonly kind: 'streamed-json';
  readonly content: BodySchemas;
  readonly maxBytes: number;
}

/** Bytes as they arrive, never buffered as a whole. */
export interface StreamBody {
  readonly kind: 'stream';
  readonly content: BodySchemas;
  /** Default: the host's limit for uploads. */
  readonly maxBytes?: number;
}

/** A multipart form. Its files stay on disk until the handler has ended. */
export interface FormBody<S extends JsonSchema = JsonSchema> extends FormOptions<S> {
  readonly kind: 'form';
  readonly content: BodySchemas;
}

export interface FormOptions<S extends JsonSchema> {
  /** The schema of the form's fields without the files: scalars, written as in a query. */
  readonly fields: S;
  /** The name of the file field. It repeats for several files. At least one is required. */
  readonly files: string;
  readonly maxFiles: number;
  /** Limits the whole body. Default: the host's limit for uploads. */
  readonly maxBytes?: number;
}

export type RequestBody = NoBody | JsonBody | StreamedJsonBody | StreamBody | FormBody;

export const noBody: NoBody = { kind: 'none', content: {} };

export function jsonBody<const S extends JsonSchema>(schema: S, maxBytes?: number): JsonBody<S> {
  const body = { kind: 'json', content: { 'application/json': schema }, schema } as const;
  return maxBytes === undefined ? body : { ...body, maxBytes };
}

export function streamedJsonBody(schema: JsonSchema, maxBytes: number): StreamedJsonBody {
  return { kind: 'streamed-json', content: { 'application/json': schema }, maxBytes };
}

/** `types` are the media types that the OpenAPI document names. */
export function streamBody({
  types,
  ...limit
}: {
  readonly types: readonly string[];
  readonly maxBytes?: number;
}): StreamBody {
  const content = Object.fromEntries(types.map((type) => [type, bytesSchema(limit.maxBytes)]));
  return { kind: 'stream', content, ...limit };
}

export function formBody<const S extends JsonSchema>(options: FormOptions<S>): FormBody<S> {
  return { kind: 'form', content: { 'multipart/form-data': formSchema(options) }, ...options };
}

/** The schema by which OpenAPI tools recognise a file. The length is in bytes. */
function bytesSchema(maxLength: number | undefined): JsonSchema {
  const bytes = { type: 'string', format: 'binary' } as const;
  return maxLength === undefined ? bytes : { ...bytes, maxLength };
}

function formSchema({ fields, files, maxFiles }: FormOptions<JsonSchema>): JsonSchema {
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
        description: 'The files, each with its name.',
      },
      ...fields.properties,
    },
    required: [files, ...(fields.required ?? [])],
    additionalProperties: false,
  };
}
