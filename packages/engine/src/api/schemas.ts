import type { Infer, JsonSchema } from '@trove/core';

/*
 * What the engine takes and answers, once: the engine's types are inferred from these schemas, calls are validated
 * with them, and the HTTP host builds its routes and its OpenAPI document of them.
 */

const text = { type: 'string', minLength: 1, pattern: '\\S' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const nullableText = { type: ['string', 'null'] } as const;
const nullableCount = { type: ['integer', 'null'], minimum: 0 } as const;
const freeForm = { type: 'object', additionalProperties: true } as const;

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

const path = { ...text, description: 'A path or URI: of a source, a folder in it, or an object.' } as const;
const target = { ...text, description: 'Path or URI of a source.' } as const;

export const serverInfoSchema = {
  type: 'object',
  title: 'ServerInfo',
  properties: {
    version: { type: 'string' },
    machine_id: { type: 'string', description: 'Stable for this machine.' },
    namespace: { type: 'string' },
    api_version: { type: 'string' },
    capabilities: {
      type: 'object',
      properties: {
        schemes: { type: 'array', items: { type: 'string' }, description: 'URI schemes that can be added.' },
      },
      required: ['schemes'],
      additionalProperties: false,
    },
  },
  required: ['version', 'machine_id', 'namespace', 'api_version', 'capabilities'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const addRequestSchema = {
  type: 'object',
  title: 'AddRequest',
  properties: {
    target: { ...text, description: 'Path or connector URI to register and index.' },
    config: {
      type: ['object', 'null'],
      additionalProperties: true,
      default: null,
      description: 'Connector configuration. String values `env:VAR` and `file:/abs/path` are resolved by the server.',
    },
    full: { type: 'boolean', default: false, description: 'Index everything again, ignoring caches and fingerprints.' },
    since: {
      type: ['string', 'null'],
      default: null,
      description: 'Cursor or date, for connectors that can sync from one.',
    },
    process: {
      type: 'boolean',
      default: false,
      description: 'true: index before answering; false: queue a job.',
    },
    update: { type: 'boolean', default: false, description: 'Apply the config to a source that is registered already.' },
  },
  required: ['target'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const addResponseSchema = {
  type: 'object',
  title: 'AddResponse',
  properties: { job_id: { type: 'string' } },
  required: ['job_id'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const cancelResponseSchema = {
  type: 'object',
  title: 'CancelResponse',
  properties: {
    job_id: { type: 'string' },
    cancelled: { type: 'boolean', description: 'false when the job had ended already.' },
  },
  required: ['job_id', 'cancelled'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const jobResponseSchema = {
  type: 'object',
  title: 'JobResponse',
  properties: {
    id: { type: 'string' },
    status: { type: 'string', description: 'queued, running, succeeded, partial, failed or cancelled; open to more.' },
    op_kind: nullableText,
    trigger: nullableText,
    target: nullableText,
    error: { ...nullableText, description: 'Error code, when the job failed or was cancelled.' },
    total_objects: nullableCount,
    succeeded_objects: nullableCount,
    failed_objects: nullableCount,
    cancelled_objects: nullableCount,
    skipped_objects: nullableCount,
    chunks: nullableCount,
    created_at: { type: 'string', format: 'date-time' },
    started_at: { ...nullableText, format: 'date-time' },
    finished_at: { ...nullableText, format: 'date-time' },
    failures: {
      type: 'array',
      description: 'The first 20 objects that failed.',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, code: { type: 'string' }, error: { type: 'string' } },
        required: ['path', 'code', 'error'],
        additionalProperties: false,
      },
    },
  },
  required: [
    'id',
    'status',
    'op_kind',
    'trigger',
    'target',
    'error',
    'total_objects',
    'succeeded_objects',
    'failed_objects',
    'cancelled_objects',
    'skipped_objects',
    'chunks',
    'created_at',
    'started_at',
    'finished_at',
    'failures',
  ],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const jobsResponseSchema = {
  type: 'array',
  items: jobResponseSchema,
} as const satisfies JsonSchema;

export const jobsQuerySchema = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 20, description: 'Number of jobs, newest first.' },
    offset: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 },
    status: { ...text, description: 'Only jobs with this status.' },
    target: { ...target, description: 'Only jobs of this source.' },
  },
  additionalProperties: false,
} as const satisfies JsonSchema;

export const statusResponseSchema = {
  type: 'object',
  title: 'StatusResponse',
  properties: {
    connectors: {
      type: 'array',
      items: {
        type: 'object',
        title: 'ConnectorRow',
        properties: {
          root_uri: { type: 'string' },
          type: { type: 'string' },
          status: { type: 'string', description: 'active, syncing, removing or error (the last sync failed).' },
          object_count: count,
          chunk_count: count,
          last_synced_at: { ...nullableText, format: 'date-time' },
        },
        required: ['root_uri', 'type', 'status', 'object_count', 'chunk_count', 'last_synced_at'],
        additionalProperties: false,
      },
    },
    jobs: { type: 'object', additionalProperties: count, description: 'Number of jobs by status.' },
  },
  required: ['connectors', 'jobs'],
  additionalProperties: false,
} as const satisfies JsonSchema;

const connectorConfig = {
  type: ['object', 'null'],
  additionalProperties: true,
  default: null,
  description: 'Connector configuration, as for add.',
} as const;

export const probeRequestSchema = {
  type: 'object',
  title: 'ProbeRequest',
  properties: {
    target,
    config: connectorConfig,
    since: { type: ['string', 'null'], default: null, description: 'For estimate: only what changed since.' },
  },
  required: ['target'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const probeResponseSchema = {
  type: 'object',
  title: 'ProbeResponse',
  properties: {
    target: { type: 'string' },
    type: { type: 'string' },
    ok: { type: 'boolean' },
    detail: { type: 'string' },
  },
  required: ['target', 'type', 'ok', 'detail'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const estimateResponseSchema = {
  type: 'object',
  title: 'EstimateResponse',
  properties: {
    target: { type: 'string' },
    type: { type: 'string' },
    objects: count,
    sampled_objects: count,
    est_chunks: count,
    est_tokens: count,
  },
  required: ['target', 'type', 'objects', 'sampled_objects', 'est_chunks', 'est_tokens'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const targetQuerySchema = {
  type: 'object',
  properties: { target },
  required: ['target'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const inspectResponseSchema = {
  type: 'object',
  title: 'InspectResponse',
  additionalProperties: true,
} as const satisfies JsonSchema;

export const removeResponseSchema = {
  type: 'object',
  title: 'RemoveResponse',
  properties: { target: { type: 'string' }, removed: { type: 'boolean' } },
  required: ['target', 'removed'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const searchQuerySchema = {
  type: 'object',
  properties: {
    q: { ...text, maxLength: 10_000, description: 'What to look for.' },
    path: { ...path, description: 'Only in this source, folder or object.' },
    mode: { enum: ['hybrid', 'semantic', 'keyword'], default: 'hybrid' },
    top_k: { type: 'integer', minimum: 1, maximum: 1000, default: 10, description: 'Number of hits.' },
    offset: { type: 'integer', minimum: 0, maximum: 10_000, default: 0, description: 'Number of best hits to leave out.' },
    collapse: { type: 'boolean', default: false, description: 'One hit for each object, its best.' },
    kind: { ...text, description: `Comma-separated chunk kinds: ${chunkKinds.join(', ')}.` },
    filter: {
      ...text,
      maxLength: 10_000,
      description: 'A filter such as `media_type = "text/markdown" and author in ("ann", "bo")`.',
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
    content: { type: 'string' },
    score: { type: ['number', 'null'], description: 'In [0,1], higher is better; comparable within one response.' },
    locator: { type: ['object', 'null'], additionalProperties: true, description: 'Pass it back to cat.' },
    metadata: {
      type: 'object',
      properties: {
        chunk_kind: { type: 'string' },
        connector_type: { type: 'string' },
        media_type: nullableText,
        title: nullableText,
        fields: freeForm,
        scores: {
          type: 'object',
          properties: { dense: { type: ['number', 'null'] }, sparse: { type: ['number', 'null'] } },
          required: ['dense', 'sparse'],
          additionalProperties: false,
        },
      },
      required: ['chunk_kind', 'connector_type', 'media_type', 'title', 'fields', 'scores'],
      additionalProperties: false,
    },
  },
  required: ['source', 'content', 'score', 'locator', 'metadata'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const searchResponseSchema = {
  type: 'object',
  title: 'SearchResponse',
  properties: { results: { type: 'array', items: resultEnvelopeSchema } },
  required: ['results'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const grepQuerySchema = {
  type: 'object',
  properties: {
    pattern: { ...text, maxLength: 10_000, description: 'A literal text, or a regular expression with `regex`.' },
    path: { ...path, description: 'Only in this source, folder or object; all sources when left out.' },
    regex: { type: 'boolean', default: false },
    ignore_case: { type: 'boolean', default: false },
    context: { type: 'integer', minimum: 0, maximum: 10, default: 0, description: 'Lines before and after each match.' },
    limit: { type: 'integer', minimum: 1, maximum: 10_000, default: 1000, description: 'Number of matches.' },
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
      items: {
        type: 'object',
        title: 'GrepMatch',
        properties: {
          source: { ...nullableText, description: 'Object URI; null for a notice.' },
          locator: { type: ['object', 'null'], additionalProperties: true },
          content: { type: 'string' },
          via: { enum: ['pushdown', 'bm25', 'linear', 'notice'] },
        },
        required: ['source', 'locator', 'content', 'via'],
        additionalProperties: false,
      },
    },
    truncated: { type: 'boolean', description: 'There are more matches than were asked for.' },
  },
  required: ['results', 'truncated'],
  additionalProperties: false,
} as const satisfies JsonSchema;

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
      items: {
        type: 'object',
        title: 'LsEntry',
        properties: {
          name: { type: 'string' },
          type: { enum: ['file', 'dir'] },
          media_type: nullableText,
          size_hint: nullableCount,
          path: { ...nullableText, description: 'Object URI, usable with ls, cat, search, head and export.' },
          search_status: { ...nullableText, description: 'indexed, partial or not_indexed, when known.' },
          indexable: { type: ['boolean', 'null'] },
          reason: { ...nullableText, description: 'Why it is not, or only partly, indexed.' },
          real_id: { ...nullableText, description: 'Of a directory: a repeated one on a walk is a loop of links.' },
        },
        required: ['name', 'type', 'media_type', 'size_hint', 'path', 'search_status', 'indexable', 'reason', 'real_id'],
        additionalProperties: false,
      },
    },
    capabilities: {
      type: 'object',
      properties: {
        sync: {
          type: 'object',
          properties: {
            incremental: { type: 'boolean', description: 'The connector reports changes instead of listing everything.' },
            since: { type: 'boolean' },
          },
          required: ['incremental', 'since'],
          additionalProperties: false,
        },
        object: {
          type: 'object',
          properties: {
            read: { type: 'boolean' },
            records: { type: 'boolean' },
            tail: { type: 'boolean' },
            grep: { type: 'boolean', description: 'The source searches itself.' },
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
    range: { ...text, maxLength: 40, description: 'Lines `start:end`, counted from 1, both included; `10:` and `:20` work too.' },
    locator: { ...text, maxLength: 10_000, description: 'JSON of the locator of a search hit.' },
    meta: { type: 'boolean', default: false, description: 'Facts about the object instead of its content.' },
    density: {
      enum: ['peek', 'skim', 'deep'],
      description: 'peek: headings and signatures; skim: with the first line under each; deep: everything.',
    },
  },
  required: ['path'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const linesQuerySchema = {
  type: 'object',
  properties: {
    path,
    n: { type: 'integer', minimum: 1, maximum: 10_000, default: 20, description: 'Number of lines or records.' },
  },
  required: ['path'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const catResponseSchema = {
  type: 'object',
  title: 'CatResponse',
  properties: {
    source: { type: 'string' },
    content: { type: 'string' },
    partial: { type: 'boolean', description: 'The source gave only a part.' },
  },
  required: ['source', 'content', 'partial'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const objectMetaSchema = {
  type: 'object',
  title: 'ObjectMeta',
  properties: {
    source: { type: 'string' },
    media_type: nullableText,
    size_hint: nullableCount,
    fingerprint: nullableText,
    content: { const: '' },
  },
  required: ['source', 'media_type', 'size_hint', 'fingerprint', 'content'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const catAnswerSchema = { oneOf: [catResponseSchema, objectMetaSchema] } as const satisfies JsonSchema;

export type ServerInfo = Infer<typeof serverInfoSchema>;
export type AddResponse = Infer<typeof addResponseSchema>;
export type CancelResponse = Infer<typeof cancelResponseSchema>;
export type JobResponse = Infer<typeof jobResponseSchema>;
export type StatusResponse = Infer<typeof statusResponseSchema>;
export type ProbeResponse = Infer<typeof probeResponseSchema>;
export type EstimateResponse = Infer<typeof estimateResponseSchema>;
export type InspectResponse = Infer<typeof inspectResponseSchema>;
export type RemoveResponse = Infer<typeof removeResponseSchema>;
export type SearchResponse = Infer<typeof searchResponseSchema>;
export type ResultEnvelope = Infer<typeof resultEnvelopeSchema>;
export type GrepResponse = Infer<typeof grepResponseSchema>;
export type LsResponse = Infer<typeof lsResponseSchema>;
export type CatResponse = Infer<typeof catResponseSchema>;
export type ObjectMeta = Infer<typeof objectMetaSchema>;

/** What a caller may write: properties with a default can be left out. */
export type Input<T extends { readonly required?: readonly string[] }> = Partial<Infer<T>> &
  Pick<Infer<T>, Extract<NonNullable<T['required']>[number], keyof Infer<T>>>;

export type AddRequest = Input<typeof addRequestSchema>;
export type JobsQuery = Partial<Infer<typeof jobsQuerySchema>>;
export type ProbeRequest = Input<typeof probeRequestSchema>;
export type TargetQuery = Input<typeof targetQuerySchema>;
export type SearchQuery = Input<typeof searchQuerySchema>;
export type GrepQuery = Input<typeof grepQuerySchema>;
export type PathQuery = Input<typeof pathQuerySchema>;
export type CatQuery = Input<typeof catQuerySchema>;
export type LinesQuery = Input<typeof linesQuerySchema>;
