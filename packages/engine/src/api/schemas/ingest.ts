import type { Infer, JsonSchema } from '@trove/core';
import { count, nullableCount, nullableText, target, text, type RequestInput } from './shared.js';

const nullableString = (description: string) =>
  ({ type: ['string', 'null'], description }) as const;
const nullableFlag = (description: string) => ({ type: ['boolean', 'null'], description }) as const;

/** The keys of a configuration that decide when a source is synced. */
export const scheduleProperties = {
  every: nullableString('Interval from `15m` to `30d`, such as `6h`.'),
  cron: nullableString(
    'Cron expression of five fields, in the time zone of the server. Not with `every`.',
  ),
  hours: nullableString('Only times in this part of the day, such as `22:00-06:00`.'),
  watch: nullableFlag('Sync whenever the source changes.'),
  paused: nullableFlag('Sync only on request. The schedule and `watch` have no effect meanwhile.'),
} as const;

export const addRequestSchema = {
  type: 'object',
  title: 'AddRequest',
  properties: {
    target: { ...text, description: 'Path or URI of the source to register and index.' },
    config: {
      type: ['object', 'null'],
      additionalProperties: true,
      default: null,
      description:
        'Configuration of the connector. The server resolves the values `env:VAR` and `file:/abs/path`.',
    },
    full: {
      type: 'boolean',
      default: false,
      description: 'Index everything again, ignoring caches and fingerprints.',
    },
    since: {
      type: ['string', 'null'],
      default: null,
      description: 'Sync only changes since this date, if the connector supports it.',
    },
    process: {
      type: 'boolean',
      default: false,
      description: '`true`: respond after indexing. `false`: queue a job and respond at once.',
    },
    update: {
      type: 'boolean',
      default: false,
      description: 'Apply the configuration to a source that is already registered.',
    },
    paths: {
      type: ['array', 'null'],
      items: { type: 'string', maxLength: 4096 },
      minItems: 1,
      maxItems: 100,
      default: null,
      description:
        'Sync only these paths of a registered source, such as failed objects. Everything is listed if the connector cannot list single paths.',
    },
    schedule: {
      type: ['object', 'null'],
      title: 'ScheduleChange',
      default: null,
      description:
        'When to sync the source. Changes only these keys of its configuration: an omitted key stays, and `null` removes it. Requires `update` for a registered source.',
      properties: scheduleProperties,
      additionalProperties: false,
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
        'Root URIs of sources that contain this one or lie inside it. Shared objects are indexed for each source and appear as one hit.',
    },
    warnings: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Advice on the configuration, for example to replace a plain-text secret by a reference.',
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
    cancelled: { type: 'boolean', description: '`false` if the job had already ended.' },
  },
  required: ['job_id', 'cancelled'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const jobResponseSchema = {
  type: 'object',
  title: 'JobResponse',
  properties: {
    id: { type: 'string', description: 'The id of the job, as returned by `add`.' },
    status: {
      type: 'string',
      description:
        '`queued`, `running`, `succeeded`, `partial`, `failed` or `cancelled`. Later versions may add values.',
    },
    op_kind: { ...nullableText, description: 'Kind of the job: `sync`.' },
    trigger: {
      ...nullableText,
      description:
        'Why the job was created: `manual`, `watch` (the source changed), `schedule`, `move` (the source was moved), `embedder` (the embedder changed) or `index` (the index had lost rows).',
    },
    target: { ...nullableText, description: 'Canonical URI of the source.' },
    phase: {
      ...nullableText,
      description:
        'Phase of a running job: `listing` (already indexing listed objects), `indexing`, `summarizing` or `optimizing`. Later versions may add values.',
    },
    paused_until: {
      ...nullableText,
      description:
        'End of a pause that the source requested, such as a rate limit. The job then continues. Null without a pause.',
    },
    obstacle: {
      type: ['object', 'null'],
      title: 'JobObstacle',
      description: 'A condition that slows or stops the running job. Null without one.',
      properties: {
        code: {
          type: 'string',
          description: '`disk_full` or `disk_low`. Later versions may add values.',
        },
        detail: { type: 'string', description: 'Description and remedy, for people.' },
      },
      required: ['code', 'detail'],
      additionalProperties: false,
    },
    error: { ...nullableText, description: 'Error code of a failed or cancelled job.' },
    detail: { ...nullableText, description: 'Description of the error, for people.' },
    total_objects: {
      ...nullableCount,
      description: 'Listed objects plus objects to remove. Grows during the listing.',
    },
    succeeded_objects: {
      ...nullableCount,
      description: 'Sum of `added`, `changed` and `removed`.',
    },
    failed_objects: {
      ...nullableCount,
      description: 'Failed objects. The next sync retries them. `failures` has the reasons.',
    },
    cancelled_objects: {
      ...nullableCount,
      description: 'Objects that were open when the job ended early.',
    },
    skipped_objects: { ...nullableCount, description: 'Sum of `unchanged` and `left_out`.' },
    added: { ...count, description: 'Newly indexed objects.' },
    changed: { ...count, description: 'Objects that were indexed again or moved to a new path.' },
    removed: { ...count, description: 'Objects that the source no longer has.' },
    unchanged: { ...count, description: 'Objects that were already indexed in this state.' },
    left_out: {
      ...count,
      description:
        'Objects that can be listed and read but are not indexed. `left_out_reasons` and `ls` have the reasons.',
    },
    chunks: { ...nullableCount, description: 'Chunks of added and changed objects.' },
    chunks_without_vector: {
      ...count,
      description: 'Chunks that could not be embedded, so only keywords find them.',
    },
    summaries: {
      ...count,
      description: 'Summaries and descriptions that were written. Cached ones need no model call.',
    },
    summaries_missing: {
      ...count,
      description:
        'Summaries that could not be written. The next sync retries them. `failures` and `warnings` have the reasons.',
    },
    model_calls: { ...count, description: 'Answered calls to the language model.' },
    model_input_tokens: { ...count, description: 'Tokens that the language model read.' },
    model_output_tokens: { ...count, description: 'Tokens that the language model wrote.' },
    created_at: { type: 'string', format: 'date-time', description: 'When the job was queued.' },
    started_at: {
      ...nullableText,
      format: 'date-time',
      description: 'When a worker first claimed the job. Null while it is queued.',
    },
    finished_at: {
      ...nullableText,
      format: 'date-time',
      description: 'When the job ended. Null before.',
    },
    failures: {
      type: 'array',
      description: 'The first 20 failed objects.',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Path of the object below its source.' },
          code: { type: 'string', description: 'Stable error code, for programs.' },
          error: { type: 'string', description: 'Description of the error, for people.' },
        },
        required: ['path', 'code', 'error'],
        additionalProperties: false,
      },
    },
    left_out_reasons: {
      type: 'array',
      description: 'Why objects were left out, at most 20 reasons. Empty until the job has ended.',
      items: {
        type: 'object',
        properties: {
          reason: { type: 'string', description: 'Description for people.' },
          objects: {
            type: 'integer',
            minimum: 1,
            description: 'Number of objects with this reason.',
          },
          path: { type: 'string', description: 'Path of one of these objects below its source.' },
        },
        required: ['reason', 'objects', 'path'],
        additionalProperties: false,
      },
    },
    warnings: {
      type: 'array',
      description:
        'Conditions that did not fail the job, such as a rule without matches, in sentences.',
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
      description: 'Maximum number of jobs, newest first.',
    },
    offset: {
      type: 'integer',
      minimum: 0,
      maximum: 1_000_000,
      default: 0,
      description: 'Number of newest jobs to skip.',
    },
    status: { ...text, description: 'Only jobs with this status.' },
    target: { ...target, description: 'Only jobs of this source.' },
  },
  additionalProperties: false,
} as const satisfies JsonSchema;

export type AddResponse = Infer<typeof addResponseSchema>;

export type CancelResponse = Infer<typeof cancelResponseSchema>;

export type JobResponse = Infer<typeof jobResponseSchema>;

export type AddRequest = RequestInput<typeof addRequestSchema>;

export type JobsQuery = Partial<Infer<typeof jobsQuerySchema>>;
