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

/** The possible reasons for the demotion of a hit. */
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
      description: 'The query. Only the first few hundred words of a long text count.',
    },
    path: { ...path, description: 'Search only this source, folder or object.' },
    mode: {
      enum: ['hybrid', 'semantic', 'keyword'],
      default: 'hybrid',
      description: '`semantic`: by meaning. `keyword`: by words. `hybrid`: by both.',
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
      description: 'Number of best hits to skip.',
    },
    collapse: {
      type: 'boolean',
      default: false,
      description: 'Return only the best hit of each object.',
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
        'Only objects with a matching path, relative to `path` or the source. Comma-separated `.gitignore` patterns. `{a,b}` are alternatives, `!` excludes, the last match decides.',
    },
    type: {
      ...text,
      maxLength: 1000,
      description: 'Only files of these types, such as `ts,py,md`. `!` excludes a type.',
    },
  },
  required: ['q'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const resultEnvelopeSchema = {
  type: 'object',
  title: 'ResultEnvelope',
  properties: {
    source: {
      type: 'string',
      description: 'URI of the object, for `cat`, `head`, `tail` and `export`.',
    },
    content: { type: 'string', description: 'The text of the chunk.' },
    score: {
      type: ['number', 'null'],
      description: 'Relevance score from 0 to 1. A perfect match is near 1.',
    },
    locator: {
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'Pass it to `cat` to read this part.',
    },
    metadata: {
      type: 'object',
      description: 'Metadata of the chunk and its object.',
      properties: {
        chunk_kind: {
          type: 'string',
          description: 'Kind of the chunk, as in the parameter `kind`.',
        },
        connector_type: {
          type: 'string',
          description: 'URI scheme of the source, such as `file`.',
        },
        media_type: { ...nullableText, description: 'Media type of the object, if known.' },
        title: { ...nullableText, description: 'Title of the object, if it has one.' },
        modified_at: {
          ...nullableText,
          description: 'Time of the last change, as an ISO date and time.',
        },
        url: { ...nullableText, description: 'URL of its web page.' },
        author: { ...nullableText, description: 'Name of the author.' },
        also: {
          type: 'array',
          items: { type: 'string' },
          description: 'URIs of other objects with the same text, at most 100.',
        },
        demoted_reason: {
          enum: [...demotedReasons, null],
          description: 'Why the score was lowered, or null. See the parameter `demote`.',
        },
        fields: { ...freeForm, description: 'Other metadata. Filters can use these names.' },
        scores: {
          type: 'object',
          description:
            'Scores by meaning (`dense`), by words (`sparse`) and of the reranker (`rerank`). Null where the hit has none.',
          properties: {
            dense: { type: ['number', 'null'], description: 'Cosine similarity.' },
            sparse: { type: ['number', 'null'], description: 'BM25.' },
            rerank: {
              type: ['number', 'null'],
              description:
                'Score of the model in `[rerank]`, which determines the order. Null if the model was not used or failed.',
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
      description: 'Present only if the search was repeated with corrected spelling.',
      properties: {
        showing_results_for: {
          type: 'string',
          description: 'The corrected query.',
        },
        corrections: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              word: { type: 'string', description: 'A word that does not occur in the index.' },
              replacements: {
                type: 'array',
                items: { type: 'string' },
                description:
                  'The words that replaced it, each one letter different, most frequent first.',
              },
            },
            required: ['word', 'replacements'],
            additionalProperties: false,
          },
          description: 'The assumed typing errors.',
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

export type SearchResponse = Infer<typeof searchResponseSchema>;

export type ResultEnvelope = Infer<typeof resultEnvelopeSchema>;

export type GrepResponse = Infer<typeof grepResponseSchema>;

export type SearchQuery = RequestInput<typeof searchQuerySchema>;

export type GrepQuery = RequestInput<typeof grepQuerySchema>;
