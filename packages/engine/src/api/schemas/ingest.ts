import type { Infer, JsonSchema } from '@trove/core';
import { count, nullableCount, nullableText, target, text, type Input } from './shared.js';

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
      description: 'Cursor or date, for connectors that can sync from one.',
    },
    process: {
      type: 'boolean',
      default: false,
      description: 'true: index before answering; false: queue a job.',
    },
    update: {
      type: 'boolean',
      default: false,
      description: 'Apply the config to a source that is registered already.',
    },
  },
  required: ['target'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const addResponseSchema = {
  type: 'object',
  title: 'AddResponse',
  properties: {
    job_id: { type: 'string' },
    overlaps: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Root URIs of other sources that hold this one, or lie in it. What two sources hold is indexed for each, and is one hit of a search.',
    },
    warnings: {
      type: 'array',
      items: { type: 'string' },
      description:
        'What the configuration had better do otherwise: a secret in plain text, for which there are references.',
    },
  },
  required: ['job_id', 'overlaps', 'warnings'],
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
    status: {
      type: 'string',
      description: 'queued, running, succeeded, partial, failed or cancelled; open to more.',
    },
    op_kind: nullableText,
    trigger: nullableText,
    target: nullableText,
    phase: {
      ...nullableText,
      description:
        'What a running job is at: listing (and indexing what it has met), indexing, optimizing; open to more.',
    },
    error: { ...nullableText, description: 'Error code, when the job failed or was cancelled.' },
    detail: { ...nullableText, description: 'The same as a sentence for people.' },
    total_objects: {
      ...nullableCount,
      description: 'Objects met and objects to remove; it grows while the source is listed.',
    },
    succeeded_objects: { ...nullableCount, description: 'added, changed and removed together.' },
    failed_objects: {
      ...nullableCount,
      description: 'Those that the next sync tries again; `failures` says why.',
    },
    cancelled_objects: { ...nullableCount, description: 'Not done when the job ended early.' },
    skipped_objects: { ...nullableCount, description: 'unchanged and left_out together.' },
    added: { ...count, description: 'Objects that can be found now, and could not before.' },
    changed: { ...count, description: 'Objects indexed anew, or under a new path.' },
    removed: { ...count, description: 'Objects that the source does not have any more.' },
    unchanged: { ...count, description: 'Objects that were indexed as they are.' },
    left_out: {
      ...count,
      description: 'Objects that are listed and read, not indexed; `failures` and ls say why.',
    },
    chunks: { ...nullableCount, description: 'Chunks of the objects that were added or changed.' },
    chunks_without_vector: {
      ...count,
      description: 'Those of the chunks that could not be embedded, and are found by keyword only.',
    },
    created_at: { type: 'string', format: 'date-time' },
    started_at: { ...nullableText, format: 'date-time' },
    finished_at: { ...nullableText, format: 'date-time' },
    failures: {
      type: 'array',
      description:
        'The first 20 objects that failed; after them, once the job has ended, an example of each reason for which objects were left out (code `left_out`).',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          code: { type: 'string' },
          error: { type: 'string' },
        },
        required: ['path', 'code', 'error'],
        additionalProperties: false,
      },
    },
    notes: {
      type: 'array',
      description: 'What else to know of this sync: a rule that matched nothing, say.',
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
    'created_at',
    'started_at',
    'finished_at',
    'failures',
    'notes',
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
    offset: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 },
    status: { ...text, description: 'Only jobs with this status.' },
    target: { ...target, description: 'Only jobs of this source.' },
  },
  additionalProperties: false,
} as const satisfies JsonSchema;

export type AddResponse = Infer<typeof addResponseSchema>;

export type CancelResponse = Infer<typeof cancelResponseSchema>;

export type JobResponse = Infer<typeof jobResponseSchema>;

export type AddRequest = Input<typeof addRequestSchema>;

export type JobsQuery = Partial<Infer<typeof jobsQuerySchema>>;
