import type { Infer, JsonSchema } from '@trove/core';
import { nullableCount, nullableText, path, text, type RequestInput } from './shared.js';

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
      description: 'What is in the folder; of an object, just that object.',
      items: {
        type: 'object',
        title: 'LsEntry',
        properties: {
          name: { type: 'string', description: 'The last part of its path.' },
          type: { enum: ['file', 'dir'], description: 'file: an object; dir: a folder.' },
          media_type: { ...nullableText, description: 'If known.' },
          size_hint: { ...nullableCount, description: 'In bytes, if known.' },
          path: {
            ...nullableText,
            description: 'Object URI, usable with ls, cat, search, head and export.',
          },
          search_status: {
            ...nullableText,
            description: 'indexed, partial or not_indexed, if known.',
          },
          indexable: {
            type: ['boolean', 'null'],
            description:
              'false: left out by a rule or a limit, as `reason` says; null if not known.',
          },
          reason: {
            ...nullableText,
            description:
              'Why it is not indexed, or only in part; of an indexed text, that its encoding was guessed.',
          },
          real_id: {
            ...nullableText,
            description: 'For a directory: if it repeats on the way down, links form a loop.',
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
      description: 'Of the source.',
      properties: {
        sync: {
          type: 'object',
          description: 'How it can be synced.',
          properties: {
            incremental: {
              type: 'boolean',
              description: 'The connector can report changes instead of listing everything.',
            },
            since: { type: 'boolean', description: '`add` takes a `since`.' },
          },
          required: ['incremental', 'since'],
          additionalProperties: false,
        },
        object: {
          type: 'object',
          description: 'How its objects can be read.',
          properties: {
            read: { type: 'boolean', description: 'Objects have bytes.' },
            records: { type: 'boolean', description: 'Objects consist of records.' },
            tail: {
              type: 'boolean',
              description: 'They have an order, so `tail` can be asked for.',
            },
            grep: { type: 'boolean', description: 'The source has a search of its own.' },
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
        'Lines `start:end`, or records of a table, counting from 1, both included. `10:` and `:20` work too.',
    },
    bytes: {
      ...text,
      maxLength: 40,
      description:
        'Bytes `start:end` of a large text, counting from 0, without the end; at most 1 MiB. Characters that these cut are left out.',
    },
    locator: { ...text, maxLength: 10_000, description: "A search hit's locator, as JSON." },
    meta: {
      type: 'boolean',
      default: false,
      description: 'Facts about the object instead of its content.',
    },
    density: {
      enum: ['peek', 'skim', 'deep'],
      description:
        'peek: headings and signatures, each with its line number; skim: those and the first line under each; deep: everything.',
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
    content: { type: 'string', description: 'The text, or the records as text.' },
    partial: { type: 'boolean', description: 'The source returned only part of it.' },
  },
  required: ['source', 'content', 'partial'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const objectMetaSchema = {
  type: 'object',
  title: 'ObjectMeta',
  properties: {
    source: { type: 'string', description: 'Canonical URI of the object.' },
    media_type: { ...nullableText, description: 'If known.' },
    size_hint: { ...nullableCount, description: 'In bytes, if known.' },
    fingerprint: {
      ...nullableText,
      description: 'Changes when the object does, if its source has such a thing.',
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
