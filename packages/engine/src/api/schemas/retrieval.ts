import type { Infer, JsonSchema } from '@trove/core';
import { freeForm, nullableText, path, text, type RequestInput } from './shared.js';

export const chunkKinds = [
  'body',
  'row_text',
  'thread_aggregate',
  'record_aggregate',
  'summary',
  'vlm_description',
  'directory_summary',
  'schema_summary',
] as const;

/** Why a hit may rank below equals. */
export const demotedReasons = [
  'licence',
  'changelog',
  'commit',
  'fixture',
  'generated',
  'log',
  'test',
  'vendored',
] as const;
export type DemotedReason = (typeof demotedReasons)[number];

export const searchQuerySchema = {
  type: 'object',
  properties: {
    q: {
      ...text,
      maxLength: 10_000,
      description: 'What to look for. Of a long text, only the first few hundred words count.',
    },
    path: { ...path, description: 'Search only this source, folder or object.' },
    mode: {
      enum: ['hybrid', 'semantic', 'keyword'],
      default: 'hybrid',
      description: 'semantic: by meaning; keyword: by words; hybrid: both.',
    },
    top_k: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 10,
      description: 'Maximum number of hits.',
    },
    offset: {
      type: 'integer',
      minimum: 0,
      maximum: 10_000,
      default: 0,
      description: 'Number of top hits to skip.',
    },
    collapse: {
      type: 'boolean',
      default: false,
      description: 'Only the best hit of each object.',
    },
    demote: {
      type: 'boolean',
      default: true,
      description:
        'Lower the scores of tests, fixtures, logs, licences, changelogs, commits, generated and vendored files, unless the query asks for them.',
    },
    kind: { ...text, description: `Comma-separated chunk kinds: ${chunkKinds.join(', ')}.` },
    filter: {
      ...text,
      maxLength: 10_000,
      description:
        'A condition on path, media_type, chunk_kind, modified_at or a metadata field, such as `media_type = "text/markdown" and author in ("ann", "bo")`.',
    },
    glob: {
      ...text,
      maxLength: 4000,
      description:
        'Only objects whose path, below `path` or the source, fits: patterns as in a .gitignore file, separated by commas; `{a,b}` are alternatives, `!` excludes, the last that fits decides.',
    },
    type: {
      ...text,
      maxLength: 1000,
      description: 'Only such files: names as `ts`, `py`, `md`, separated by commas; `!` excludes.',
    },
  },
  required: ['q'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const resultEnvelopeSchema = {
  type: 'object',
  title: 'ResultEnvelope',
  properties: {
    source: { type: 'string', description: 'Object URI, usable with cat, head, tail and export.' },
    content: { type: 'string', description: 'The text of the chunk.' },
    score: {
      type: ['number', 'null'],
      description: 'How well the hit fits, from 0 to 1; a perfect fit is near 1.',
    },
    locator: {
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'Pass it to cat to read this part.',
    },
    metadata: {
      type: 'object',
      description: 'What is known of the chunk and of its object.',
      properties: {
        chunk_kind: { type: 'string', description: 'As in the filter `kind`.' },
        connector_type: { type: 'string', description: 'Scheme of the source, such as file.' },
        media_type: { ...nullableText, description: 'Of the object, if known.' },
        title: { ...nullableText, description: 'Of the object, if it has one.' },
        modified_at: {
          ...nullableText,
          description: 'When it was written or last changed, as an ISO date and time.',
        },
        url: { ...nullableText, description: 'Where people can read it.' },
        author: { ...nullableText, description: 'Who wrote it.' },
        also: {
          type: 'array',
          items: { type: 'string' },
          description: 'URIs of other objects with the same text, at most 100.',
        },
        demoted_reason: {
          enum: [...demotedReasons, null],
          description:
            'The reason for the demotion of the hit; null for others. See the parameter `demote`.',
        },
        fields: { ...freeForm, description: 'Further facts, which filters can name.' },
        scores: {
          type: 'object',
          description:
            'How well it fits by meaning (dense), by words (sparse) and to a second model (rerank); null where not found so.',
          properties: {
            dense: { type: ['number', 'null'], description: 'Cosine similarity.' },
            sparse: { type: ['number', 'null'], description: 'BM25.' },
            rerank: {
              type: ['number', 'null'],
              description:
                'What the model of `[rerank]` gave, whose order this is; null: it was not asked, or failed.',
            },
          },
          required: ['dense', 'sparse', 'rerank'],
          additionalProperties: false,
        },
      },
      required: [
        'chunk_kind',
        'connector_type',
        'media_type',
        'title',
        'modified_at',
        'url',
        'author',
        'also',
        'demoted_reason',
        'fields',
        'scores',
      ],
      additionalProperties: false,
    },
  },
  required: ['source', 'content', 'score', 'locator', 'metadata'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const searchResponseSchema = {
  type: 'object',
  title: 'SearchResponse',
  properties: {
    results: { type: 'array', items: resultEnvelopeSchema, description: 'Best first.' },
    metadata: {
      type: 'object',
      description: 'Only when the question was answered with other words than those asked for.',
      properties: {
        showing_results_for: {
          type: 'string',
          description: 'The question as it was answered.',
        },
        corrections: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              word: { type: 'string', description: 'A word that nothing indexed has.' },
              instead: {
                type: 'array',
                items: { type: 'string' },
                description: 'The words one letter away that were looked for, the commonest first.',
              },
            },
            required: ['word', 'instead'],
            additionalProperties: false,
          },
          description: 'What was taken for a typing error.',
        },
      },
      required: ['showing_results_for', 'corrections'],
      additionalProperties: false,
    },
  },
  required: ['results'],
  additionalProperties: false,
} as const satisfies JsonSchema;

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
      description: 'Search only this source, folder or object; without it, all sources.',
    },
    regex: {
      type: 'boolean',
      default: false,
      description:
        "Treat the pattern as a regular expression in ripgrep's syntax: Unicode, line by line, and with look-around.",
    },
    ignore_case: {
      type: 'boolean',
      default: false,
      description: 'Ignore the difference between upper and lower case.',
    },
    word: {
      type: 'boolean',
      default: false,
      description: 'Only matches that are not part of a longer word.',
    },
    invert: {
      type: 'boolean',
      default: false,
      description: 'The lines that do not match.',
    },
    only_matching: {
      type: 'boolean',
      default: false,
      description:
        'The content is only what matches in the line, one occurrence per line; empty ones are left out.',
    },
    glob: {
      ...text,
      maxLength: 4000,
      description:
        'Only objects whose path, below `path` or the source, fits: patterns as in a .gitignore file, separated by commas; `{a,b}` are alternatives, `!` excludes, the last that fits decides.',
    },
    type: {
      ...text,
      maxLength: 1000,
      description: 'Only such files: names as `ts`, `py`, `md`, separated by commas; `!` excludes.',
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
        'The `next` of an earlier answer to the same question, for what comes after. Where sources overlap, a line may come again.',
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
      description: 'In the order of the sources.',
      items: {
        type: 'object',
        title: 'GrepMatch',
        properties: {
          source: { ...nullableText, description: 'Object URI; null for a notice.' },
          locator: {
            type: ['object', 'null'],
            additionalProperties: true,
            description: 'Pass it to cat to read this part.',
          },
          content: {
            type: 'string',
            description: 'The lines, or the record; of a notice, its text.',
          },
          via: {
            enum: ['pushdown', 'bm25', 'linear', 'notice'],
            description:
              'pushdown: the source searched; bm25: only objects that the index named were read; linear: all were; notice: what was not searched.',
          },
          match: {
            type: ['object', 'null'],
            description: 'Where the match is in what is shown; null for records and notices.',
            properties: {
              lines: {
                type: 'array',
                items: { type: 'integer', minimum: 1 },
                description: 'The first and the last line of the match, without context.',
              },
              column: {
                type: 'integer',
                minimum: 1,
                description: 'Where it begins in its first line, in UTF-16 code units.',
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
    truncated: { type: 'boolean', description: 'There are more matches than `limit`.' },
    next: { ...nullableText, description: 'The cursor for them; null if there are no more.' },
  },
  required: ['results', 'truncated', 'next'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export type SearchResponse = Infer<typeof searchResponseSchema>;

export type ResultEnvelope = Infer<typeof resultEnvelopeSchema>;

export type GrepResponse = Infer<typeof grepResponseSchema>;

export type SearchQuery = RequestInput<typeof searchQuerySchema>;

export type GrepQuery = RequestInput<typeof grepQuerySchema>;
