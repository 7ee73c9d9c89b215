import type { Infer, JsonSchema } from '@trove/core';
import { hitExplanationSchema } from './explanation.js';
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

/** What a hit is. */
export const hitKinds = [
  'definition',
  'test',
  'commit',
  'documentation',
  'record',
  'text',
] as const;
export type HitKind = (typeof hitKinds)[number];

/** The maximum of `offset` in a search. */
export const maxSearchOffset = 10_000;

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
      maximum: maxSearchOffset,
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
    since: {
      ...text,
      maxLength: 40,
      description:
        'Only objects modified at this time or later: an ISO date, a date and time, or an age such as `7d` or `12h`.',
    },
    until: {
      ...text,
      maxLength: 40,
      description: 'Only objects modified before this time, in the form of `since`.',
    },
    sort: {
      enum: ['relevance', 'modified'],
      default: 'relevance',
      description:
        '`modified`: order the 100 most relevant hits by the time of the last change, newest first. Other hits follow by relevance.',
    },
    snippet: {
      type: 'integer',
      minimum: 80,
      maximum: 5000,
      description:
        'Return only the lines around the best matching lines of each hit, with at most this many characters.',
    },
    max_bytes: {
      type: 'integer',
      minimum: 1000,
      maximum: 1_000_000,
      description:
        'Maximum size of the JSON response. Omits the last hits, and shortens a first hit that is too large alone.',
    },
    fields: {
      ...text,
      maxLength: 1000,
      description:
        'Comma-separated members of hits to return: `source`, `content`, `score`, `locator`, and names of `metadata`. The hits lack all other members, except `explanation`.',
    },
    explain: {
      type: 'boolean',
      default: false,
      description:
        'Add `explanation` to each hit: how its rank and its score came about. `top_k` must then be at most 100.',
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
        kind: {
          enum: hitKinds,
          description:
            '`definition`: code that defines a name of the query or begins with a definition. `record`: a row, a message thread or another record. `text`: everything else.',
        },
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
            'Scores by meaning (`dense`), by words (`sparse`) and of the reranker (`rerank`). Null where the hit has none. For tokens with paths, scores that depend on hidden objects are null.',
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
        'kind',
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
    explanation: hitExplanationSchema,
  },
  required: ['source', 'content', 'score', 'locator', 'metadata'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const searchResponseSchema = {
  type: 'object',
  title: 'SearchResponse',
  properties: {
    results: { type: 'array', items: resultEnvelopeSchema, description: 'Best first.' },
    truncated: {
      type: 'boolean',
      description: 'True if hits were left out or shortened because of `max_bytes`.',
    },
    next_offset: {
      type: 'integer',
      minimum: 1,
      description: 'The `offset` of the first hit that was left out.',
    },
    reason: {
      type: 'string',
      description:
        'Why `path` is not searched, such as the rule that ignores it. Present only without hits.',
    },
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

/** The response with the parameter `fields`. */
export const selectedSearchResponseSchema = {
  ...searchResponseSchema,
  title: 'SelectedSearchResponse',
  properties: {
    ...searchResponseSchema.properties,
    results: {
      type: 'array',
      items: {
        ...resultEnvelopeSchema,
        title: 'SelectedHit',
        properties: {
          ...resultEnvelopeSchema.properties,
          metadata: { ...resultEnvelopeSchema.properties.metadata, required: [] },
        },
        required: [],
      },
    },
  },
} as const satisfies JsonSchema;

export type SearchResponse = Infer<typeof searchResponseSchema>;

export type ResultEnvelope = Infer<typeof resultEnvelopeSchema>;

export type SearchQuery = RequestInput<typeof searchQuerySchema>;
