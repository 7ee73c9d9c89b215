import type { Infer, JsonSchema } from '@trove/core';
import { count, nullableCount, nullableText, path, text, type RequestInput } from './shared.js';

export const pathQuerySchema = {
  type: 'object',
  properties: { path },
  required: ['path'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const lsResponseSchema = {
  type: 'object',
  title: 'LsResponse',
  properties: {
    entries: {
      type: 'array',
      description: 'The entries of the folder. For an object, only the object itself.',
      items: {
        type: 'object',
        title: 'LsEntry',
        properties: {
          name: { type: 'string', description: 'The last segment of the path.' },
          type: { enum: ['file', 'dir'], description: '`file` for an object, `dir` for a folder.' },
          media_type: { ...nullableText, description: 'Media type, if known.' },
          size_hint: { ...nullableCount, description: 'Size in bytes, if known.' },
          path: {
            ...nullableText,
            description: 'URI of the object, for `ls`, `cat`, `search`, `head` and `export`.',
          },
          search_status: {
            ...nullableText,
            description: '`indexed`, `partial` or `not_indexed`, if known.',
          },
          indexable: {
            type: ['boolean', 'null'],
            description:
              '`false` if a rule or limit leaves the object out of the index. `reason` names it. Null if unknown.',
          },
          reason: {
            ...nullableText,
            description:
              'Why the object or part of it is not indexed. Also mentions a guessed encoding of an indexed text.',
          },
          real_id: {
            ...nullableText,
            description: 'Identity of a directory. If it repeats along a path, links form a loop.',
          },
        },
        required: [
          'name',
          'type',
          'media_type',
          'size_hint',
          'path',
          'search_status',
          'indexable',
          'reason',
          'real_id',
        ],
        additionalProperties: false,
      },
    },
    capabilities: {
      type: 'object',
      description: 'Capabilities of the source.',
      properties: {
        sync: {
          type: 'object',
          description: 'How the source can be synced.',
          properties: {
            incremental: {
              type: 'boolean',
              description: 'The connector reports changes instead of listing everything.',
            },
            since: { type: 'boolean', description: '`add` accepts `since`.' },
          },
          required: ['incremental', 'since'],
          additionalProperties: false,
        },
        object: {
          type: 'object',
          description: 'How objects of the source can be read.',
          properties: {
            read: { type: 'boolean', description: 'Objects have bytes.' },
            records: { type: 'boolean', description: 'Objects consist of records.' },
            tail: {
              type: 'boolean',
              description: 'Objects have a stable order, so `tail` works.',
            },
            grep: { type: 'boolean', description: 'The source can search for lines itself.' },
          },
          required: ['read', 'records', 'tail', 'grep'],
          additionalProperties: false,
        },
      },
      required: ['sync', 'object'],
      additionalProperties: false,
    },
  },
  required: ['entries', 'capabilities'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const catQuerySchema = {
  type: 'object',
  properties: {
    path,
    range: {
      ...text,
      maxLength: 40,
      description:
        'Lines `start:end`, or records of a table, from 1, both ends inclusive. `10:` and `:20` also work.',
    },
    bytes: {
      ...text,
      maxLength: 40,
      description:
        'Bytes `start:end` of a large text, from 0, without the end, at most 1 MiB. Omits characters that the range cuts.',
    },
    locator: { ...text, maxLength: 10_000, description: 'The locator of a search hit, as JSON.' },
    meta: {
      type: 'boolean',
      default: false,
      description: 'Return metadata of the object instead of its content.',
    },
    density: {
      enum: ['peek', 'skim', 'deep'],
      description:
        '`peek`: headings and signatures with line numbers. `skim`: also the first line below each. `deep`: everything.',
    },
    numbers: {
      type: 'boolean',
      default: false,
      description: 'Begin each line with its number and a tab, like `cat -n`.',
    },
    context: {
      type: 'integer',
      minimum: 0,
      maximum: 200,
      default: 0,
      description: 'Lines to add before and after `range` or the lines of `locator`.',
    },
    enclosing: {
      type: 'boolean',
      default: false,
      description:
        'Return the whole definition or section around the first line of `range` or `locator`. Without one, returns the lines themselves.',
    },
  },
  required: ['path'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const linesQuerySchema = {
  type: 'object',
  properties: {
    path,
    n: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      default: 20,
      description: 'Number of lines or records.',
    },
  },
  required: ['path'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const catResponseSchema = {
  type: 'object',
  title: 'CatResponse',
  properties: {
    source: { type: 'string', description: 'Canonical URI of the object.' },
    content: { type: 'string', description: 'The text of the object or of its records.' },
    partial: { type: 'boolean', description: 'The source returned only part of the object.' },
    lines: {
      type: ['object', 'null'],
      description:
        'The lines in `content`, from 1. Null for records, bytes and outlines. Only `cat` and `head` return it.',
      properties: {
        from: { type: 'integer', minimum: 1, description: 'The first line.' },
        to: {
          ...count,
          description: 'The last line. Less than `from` if there are no such lines.',
        },
        total: {
          ...nullableCount,
          description: 'Number of lines of the object. Null if it was not read to its end.',
        },
      },
      required: ['from', 'to', 'total'],
      additionalProperties: false,
    },
    enclosed: {
      type: 'boolean',
      description:
        'With `enclosing`: whether a definition or section encloses the line. If false, `content` has the lines themselves.',
    },
    outline: {
      type: ['array', 'null'],
      description:
        'The headings or definitions, for `density=peek`. Null otherwise. Only `cat` returns it.',
      items: {
        type: 'object',
        title: 'OutlineEntry',
        properties: {
          line: { type: 'integer', minimum: 1, description: 'The line of the heading or name.' },
          end: {
            type: 'integer',
            minimum: 1,
            description: 'The last line of the section or definition.',
          },
          text: {
            type: 'string',
            description: 'The heading or the signature on one line, indented as in the text.',
          },
          name: { ...nullableText, description: 'The defined name or the title, if known.' },
          level: {
            type: 'integer',
            minimum: 1,
            description: '1 for the outermost headings or definitions.',
          },
        },
        required: ['line', 'end', 'text', 'name', 'level'],
        additionalProperties: false,
      },
    },
  },
  required: ['source', 'content', 'partial'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const objectMetaSchema = {
  type: 'object',
  title: 'ObjectMeta',
  properties: {
    source: { type: 'string', description: 'Canonical URI of the object.' },
    media_type: { ...nullableText, description: 'Media type, if known.' },
    size_hint: { ...nullableCount, description: 'Size in bytes, if known.' },
    fingerprint: {
      ...nullableText,
      description: 'Changes when the object changes. Null if the source has no fingerprints.',
    },
    content: { const: '', description: 'Always empty.' },
  },
  required: ['source', 'media_type', 'size_hint', 'fingerprint', 'content'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const catAnswerSchema = {
  oneOf: [catResponseSchema, objectMetaSchema],
} as const satisfies JsonSchema;

export type LsResponse = Infer<typeof lsResponseSchema>;

export type CatResponse = Infer<typeof catResponseSchema>;

export type ObjectMeta = Infer<typeof objectMetaSchema>;

export type PathQuery = RequestInput<typeof pathQuerySchema>;

export type CatQuery = RequestInput<typeof catQuerySchema>;

export type LinesQuery = RequestInput<typeof linesQuerySchema>;
