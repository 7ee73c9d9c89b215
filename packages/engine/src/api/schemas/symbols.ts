import type { Infer, JsonSchema } from '@trove/core';
import { nullableText, path, text, type RequestInput } from './shared.js';

/** Kinds of definitions. */
export const symbolKinds = [
  'class',
  'interface',
  'struct',
  'trait',
  'enum',
  'type',
  'module',
  'macro',
  'function',
  'method',
  'constant',
  'variable',
] as const;
export type SymbolKind = (typeof symbolKinds)[number];

export const symbolsQuerySchema = {
  type: 'object',
  properties: {
    name: {
      ...text,
      maxLength: 1000,
      description:
        'A name, or a text that contains one: `parse`, `Parser.parse`, `func parse`, `parse()`, `where is parse defined`.',
    },
    path: {
      ...path,
      description: 'Only this source, folder or object. Default: all sources.',
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 200,
      default: 20,
      description: 'Maximum number of definitions.',
    },
    references: {
      type: 'integer',
      minimum: 0,
      maximum: 10_000,
      default: 100,
      description: 'Maximum number of lines that use the name. 0 leaves them out.',
    },
    cursor: {
      ...text,
      maxLength: 60_000,
      description: 'The `next` of the previous response to the same request.',
    },
  },
  required: ['name'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const symbolsResponseSchema = {
  type: 'object',
  title: 'SymbolsResponse',
  properties: {
    name: { type: 'string', description: 'The name that was looked up.' },
    definitions: {
      type: 'array',
      description: 'The definitions, best first. Empty on pages after the first.',
      items: {
        type: 'object',
        title: 'SymbolDefinition',
        properties: {
          source: { type: 'string', description: 'URI of the object.' },
          lines: {
            type: 'array',
            items: { type: 'integer', minimum: 1 },
            description: 'First and last line of the definition.',
          },
          signature: { type: 'string', description: 'The signature on one line.' },
          kind: { enum: symbolKinds, description: 'What the name is.' },
          language: { ...nullableText, description: 'The programming language, if known.' },
        },
        required: ['source', 'lines', 'signature', 'kind', 'language'],
        additionalProperties: false,
      },
    },
    references: {
      type: 'array',
      description: 'Lines that contain the name as a whole word, without the lines that define it.',
      items: {
        type: 'object',
        title: 'SymbolReference',
        properties: {
          source: { type: 'string', description: 'URI of the object.' },
          line: { type: 'integer', minimum: 1, description: 'Number of the line.' },
          text: { type: 'string', description: 'The line.' },
        },
        required: ['source', 'line', 'text'],
        additionalProperties: false,
      },
    },
    truncated: {
      type: 'boolean',
      description: 'There are more definitions or references, or not everything was searched.',
    },
    next: {
      ...nullableText,
      description: 'Cursor for the following references. Null if there are none.',
    },
  },
  required: ['name', 'definitions', 'references', 'truncated', 'next'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export type SymbolsResponse = Infer<typeof symbolsResponseSchema>;

export type SymbolsQuery = RequestInput<typeof symbolsQuerySchema>;
