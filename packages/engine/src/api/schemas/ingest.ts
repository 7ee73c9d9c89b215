import type { Infer, JsonSchema } from '@trove/core';
import { count, nullableCount, nullableText, target, text, type RequestInput } from './shared.js';

export const addRequestSchema = {
  type: 'object',
  title: 'AddRequest',
  properties: {
    target: { ...text, description: 'Path or connector URI to register and index.' },
    config: {
      type: ['object', 'null'],
      additionalProperties: true,
      default: null,
      description:
        'Connector configuration. String values `env:VAR` and `file:/abs/path` are resolved by the server.',
    },
    full: {
      type: 'boolean',
      default: false,
      description: 'Index everything again, ignoring caches and fingerprints.',
    },
    since: {
      type: ['string', 'null'],
      default: null,
      description: 'A cursor or date to sync from, for connectors that support one.',
    },
    process: {
      type: 'boolean',
      default: false,
      description: 'true: index before answering; false: queue a job.',
    },
    update: {
      type: 'boolean',
      default: false,
      description: 'Apply the configuration to a source that is already registered.',
    },
  },
  required: ['target'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const addResponseSchema = {
  type: 'object',
  title: 'AddResponse',
  properties: {
    job_id: { type: 'string', description: 'The id of the job.' },
    overlaps: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Root URIs of other sources that contain this one or lie inside it. What two sources share is indexed for each and appears as one hit.',
    },
    warnings: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Advice on the configuration: a secret in plain text, for example, is better given as a reference.',
    },
  },
  required: ['job_id', 'overlaps', 'warnings'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const cancelResponseSchema = {
  type: 'object',
  title: 'CancelResponse',
  properties: {
    job_id: { type: 'string', description: 'The id of the job.' },
    cancelled: { type: 'boolean', description: 'false if the job had already ended.' },
  },
  required: ['job_id', 'cancelled'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const jobResponseSchema = {
  type: 'object',
  title: 'JobResponse',
  properties: {
    id: { type: 'string', description: 'As `add` gave it.' },
    status: {
      type: 'string',
      description:
        'queued, running, succeeded, partial, failed or cancelled; there may be more in future.',
    },
    op_kind: { ...nullableText, description: 'What it does: sync.' },
    trigger: {
      ...nullableText,
      description:
        'What began it: `manual`, `watch` (something in the source changed), `embedder` (another one is configured) or `index` (which had lost parts of the source).',
    },
    target: { ...nullableText, description: 'Canonical URI of the source.' },
    phase: {
      ...nullableText,
      description:
        'What a running job is doing: listing (and indexing what it has listed so far), indexing, summarizing or optimizing; there may be more in future.',
    },
    paused_until: {
      ...nullableText,
      description:
        'Its source asked to be left alone until then (a rate limit, say), and goes on by itself; null: it did not.',
    },
    obstacle: {
      type: ['object', 'null'],
      title: 'JobObstacle',
      description: 'A condition that slows or stops the running job; null without one.',
      properties: {
        code: {
          type: 'string',
          description: '`disk_full` or `disk_low`; there may be more in future.',
        },
        detail: { type: 'string', description: 'The same in words, with what to do, for people.' },
      },
      required: ['code', 'detail'],
      additionalProperties: false,
    },
    error: { ...nullableText, description: 'Error code, if the job failed or was cancelled.' },
    detail: { ...nullableText, description: 'The same in words, for people.' },
    total_objects: {
      ...nullableCount,
      description:
        'Objects listed so far, and objects to remove; it grows while the source is being listed.',
    },
    succeeded_objects: { ...nullableCount, description: 'The sum of added, changed and removed.' },
    failed_objects: {
      ...nullableCount,
      description: 'The next sync tries them again; `failures` says why they failed.',
    },
    cancelled_objects: { ...nullableCount, description: 'Still open when the job ended early.' },
    skipped_objects: { ...nullableCount, description: 'The sum of unchanged and left_out.' },
    added: { ...count, description: 'Objects that can be found now but could not before.' },
    changed: { ...count, description: 'Objects reindexed, or moved to a new path.' },
    removed: { ...count, description: 'Objects no longer in the source.' },
    unchanged: { ...count, description: 'Objects already indexed as they are.' },
    left_out: {
      ...count,
      description:
        'Objects that can be listed and read but are not indexed; `left_out_reasons` and ls say why.',
    },
    chunks: { ...nullableCount, description: 'Chunks of the objects that were added or changed.' },
    chunks_without_vector: {
      ...count,
      description: 'How many of the chunks could not be embedded, and are found by keyword only.',
    },
    summaries: {
      ...count,
      description:
        'Summaries and descriptions that were written; what is remembered takes no call.',
    },
    summaries_missing: {
      ...count,
      description:
        'Those that could not be written; `failures` and `notes` say why, and the next sync tries again.',
    },
    model_calls: { ...count, description: 'Calls to the language model that were answered.' },
    model_input_tokens: { ...count, description: 'Tokens that the language model read in them.' },
    model_output_tokens: { ...count, description: 'Tokens that it wrote.' },
    created_at: { type: 'string', format: 'date-time', description: 'When it was queued.' },
    started_at: {
      ...nullableText,
      format: 'date-time',
      description: 'When a worker first took it; null while it is queued.',
    },
    finished_at: {
      ...nullableText,
      format: 'date-time',
      description: 'When it ended, however it ended; null before that.',
    },
    failures: {
      type: 'array',
      description: 'The first 20 objects that failed.',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Of the object, below its source.' },
          code: { type: 'string', description: 'Stable; for programs to act on.' },
          error: { type: 'string', description: 'The same in words, for people.' },
        },
        required: ['path', 'code', 'error'],
        additionalProperties: false,
      },
    },
    left_out_reasons: {
      type: 'array',
      description: 'Why objects were left out, at most 20 reasons; empty until the job has ended.',
      items: {
        type: 'object',
        properties: {
          reason: { type: 'string', description: 'In words, for people.' },
          objects: { type: 'integer', minimum: 1, description: 'How many were left out for it.' },
          path: { type: 'string', description: 'Of one of them, below its source.' },
        },
        required: ['reason', 'objects', 'path'],
        additionalProperties: false,
      },
    },
    warnings: {
      type: 'array',
      description:
        'Sentences about conditions that did not fail the job, such as a rule that matched nothing.',
      items: { type: 'string' },
    },
  },
  required: [
    'id',
    'status',
    'op_kind',
    'trigger',
    'target',
    'phase',
    'paused_until',
    'obstacle',
    'error',
    'detail',
    'total_objects',
    'succeeded_objects',
    'failed_objects',
    'cancelled_objects',
    'skipped_objects',
    'added',
    'changed',
    'removed',
    'unchanged',
    'left_out',
    'chunks',
    'chunks_without_vector',
    'summaries',
    'summaries_missing',
    'model_calls',
    'model_input_tokens',
    'model_output_tokens',
    'created_at',
    'started_at',
    'finished_at',
    'failures',
    'left_out_reasons',
    'warnings',
  ],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const jobsResponseSchema = {
  type: 'array',
  items: jobResponseSchema,
} as const satisfies JsonSchema;

export const jobIdSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description: 'The id of a job.',
} as const satisfies JsonSchema;

export const jobsQuerySchema = {
  type: 'object',
  properties: {
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 20,
      description: 'Number of jobs, newest first.',
    },
    offset: {
      type: 'integer',
      minimum: 0,
      maximum: 1_000_000,
      default: 0,
      description: 'Number of newest jobs to skip.',
    },
    status: { ...text, description: 'Only jobs with this status.' },
    target: { ...target, description: 'Only jobs for this source.' },
  },
  additionalProperties: false,
} as const satisfies JsonSchema;

export type AddResponse = Infer<typeof addResponseSchema>;

export type CancelResponse = Infer<typeof cancelResponseSchema>;

export type JobResponse = Infer<typeof jobResponseSchema>;

export type AddRequest = RequestInput<typeof addRequestSchema>;

export type JobsQuery = Partial<Infer<typeof jobsQuerySchema>>;
