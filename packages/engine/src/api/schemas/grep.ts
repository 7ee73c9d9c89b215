import type { Infer, JsonSchema } from '@trove/core';
import { nullableText, path, text, type RequestInput } from './shared.js';

export const grepQuerySchema = {
  type: 'object',
  properties: {
    pattern: {
      ...text,
      maxLength: 10_000,
      description: 'A literal text or, with `regex`, a regular expression.',
    },
    path: {
      ...path,
      description: 'Search only this source, folder or object. Default: all sources.',
    },
    regex: {
      type: 'boolean',
      default: false,
      description:
        "Treat the pattern as a regular expression in ripgrep's syntax, with Unicode and look-around, line by line.",
    },
    ignore_case: {
      type: 'boolean',
      default: false,
      description: 'Ignore case.',
    },
    word: {
      type: 'boolean',
      default: false,
      description: 'Match only whole words.',
    },
    invert: {
      type: 'boolean',
      default: false,
      description: 'Return the lines that do not match.',
    },
    only_matching: {
      type: 'boolean',
      default: false,
      description: 'Return only the matching parts of lines, one per line, without empty ones.',
    },
    glob: {
      ...text,
      maxLength: 4000,
      description:
        'Only objects with a matching path, relative to `path` or the source. Comma-separated `.gitignore` patterns. `{a,b}` are alternatives, `!` excludes, the last match decides.',
    },
    type: {
      ...text,
      maxLength: 1000,
      description: 'Only files of these types, such as `ts,py,md`. `!` excludes a type.',
    },
    context: {
      type: 'integer',
      minimum: 0,
      maximum: 10,
      default: 0,
      description: 'Lines to include before and after each match.',
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      default: 1000,
      description: 'Maximum number of matches.',
    },
    max_per_object: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      description: 'Maximum number of matches in each object.',
    },
    cursor: {
      ...text,
      maxLength: 60_000,
      description:
        'The `next` of the previous response to the same request. Lines of overlapping sources may repeat.',
    },
  },
  required: ['pattern'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const grepResponseSchema = {
  type: 'object',
  title: 'GrepResponse',
  properties: {
    results: {
      type: 'array',
      description: 'Matches in the order of the sources.',
      items: {
        type: 'object',
        title: 'GrepMatch',
        properties: {
          source: { ...nullableText, description: 'URI of the object. Null for a notice.' },
          locator: {
            type: ['object', 'null'],
            additionalProperties: true,
            description: 'Pass it to `cat` to read this part.',
          },
          content: {
            type: 'string',
            description: 'The lines, the record, or the text of a notice.',
          },
          via: {
            enum: ['pushdown', 'bm25', 'linear', 'notice'],
            description:
              '`pushdown`: the source searched itself. `bm25`: only candidates from the index were read. `linear`: all objects were read. `notice`: something was not searched.',
          },
          match: {
            type: ['object', 'null'],
            description: 'Position of the match. Null for records and notices.',
            properties: {
              lines: {
                type: 'array',
                items: { type: 'integer', minimum: 1 },
                description: 'First and last line of the match, without context.',
              },
              column: {
                type: 'integer',
                minimum: 1,
                description: 'First column of the match in its first line, in UTF-16 code units.',
              },
            },
            required: ['lines', 'column'],
            additionalProperties: false,
          },
        },
        required: ['source', 'locator', 'content', 'via', 'match'],
        additionalProperties: false,
      },
    },
    truncated: { type: 'boolean', description: 'More matches exist than `limit`.' },
    next: {
      ...nullableText,
      description: 'Cursor for the following matches. Null if there are none.',
    },
  },
  required: ['results', 'truncated', 'next'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export type GrepResponse = Infer<typeof grepResponseSchema>;

export type GrepQuery = RequestInput<typeof grepQuerySchema>;
