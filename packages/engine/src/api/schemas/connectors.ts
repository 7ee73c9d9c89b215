import type { Infer, JsonSchema } from '@trove/core';
import { scheduleProperties } from './ingest.js';
import {
  count,
  freeForm,
  nullableCount,
  nullableText,
  target,
  text,
  type RequestInput,
} from './shared.js';

const connectorConfig = {
  type: ['object', 'null'],
  additionalProperties: true,
  default: null,
  description: 'Configuration of the connector, as for `add`.',
} as const;

export const probeRequestSchema = {
  type: 'object',
  title: 'ProbeRequest',
  properties: {
    target,
    config: connectorConfig,
    since: {
      type: ['string', 'null'],
      default: null,
      description: 'Estimate only objects that changed since this date.',
    },
  },
  required: ['target'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const probeResponseSchema = {
  type: 'object',
  title: 'ProbeResponse',
  properties: {
    target: { type: 'string', description: 'Canonical URI of the source.' },
    type: { type: 'string', description: 'URI scheme of the source, such as `file`.' },
    ok: { type: 'boolean', description: 'The source can be reached.' },
    detail: { type: 'string', description: 'The finding, or why the source cannot be reached.' },
    code: {
      ...nullableText,
      description:
        'The error code if the source cannot be used now. A source that is `rate_limited` can be added, and its sync waits.',
    },
    retry_after_ms: {
      ...nullableCount,
      description: 'Milliseconds until the source may be asked again, if it named a time.',
    },
  },
  required: ['target', 'type', 'ok', 'detail', 'code', 'retry_after_ms'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const estimateResponseSchema = {
  type: 'object',
  title: 'EstimateResponse',
  properties: {
    target: { type: 'string', description: 'Canonical URI of the source.' },
    type: { type: 'string', description: 'URI scheme of the source, such as `file`.' },
    objects: { ...count, description: 'Objects that would be indexed.' },
    sampled_objects: { ...count, description: 'Objects that were read for the estimate.' },
    est_chunks: { ...count, description: 'Estimated number of chunks.' },
    est_tokens: { ...count, description: 'Estimated number of tokens to embed.' },
    complete: {
      type: 'boolean',
      description:
        '`false` if listing the source took too long, such as a large web site. The numbers then cover only the listed part.',
    },
    top_level: {
      type: 'array',
      description: 'The top-level entries of the source, in its order, at most 200.',
      items: {
        type: 'object',
        title: 'TopLevelEntry',
        properties: {
          name: { type: 'string', description: 'Name of the entry in the source.' },
          is_folder: { type: 'boolean', description: 'The entry is a folder.' },
          objects: { ...count, description: 'Objects in the entry that would be indexed.' },
          left_out: {
            ...count,
            description: 'Listed objects in the entry that would not be indexed.',
          },
        },
        required: ['name', 'is_folder', 'objects', 'left_out'],
        additionalProperties: false,
      },
    },
  },
  required: [
    'target',
    'type',
    'objects',
    'sampled_objects',
    'est_chunks',
    'est_tokens',
    'complete',
    'top_level',
  ],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const explainRequestSchema = {
  type: 'object',
  title: 'ExplainRequest',
  properties: {
    target,
    config: connectorConfig,
    full: { type: 'boolean', default: false, description: 'Explain a full sync.' },
  },
  required: ['target'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const explainResponseSchema = {
  type: 'object',
  title: 'ExplainResponse',
  properties: {
    target: { type: 'string', description: 'Canonical URI of the source.' },
    type: { type: 'string', description: 'URI scheme of the source, such as `file`.' },
    incremental: {
      type: 'boolean',
      description: 'The sync requests only what has changed since the last one.',
    },
    requests: {
      type: 'array',
      description: 'The kinds of requests, in their order, without logins.',
      items: {
        type: 'object',
        title: 'ExplainedRequest',
        properties: {
          name: { type: 'string', description: 'What it requests, such as `issues`.' },
          request: {
            type: 'string',
            description:
              'The request in the terms of the source: `GET https://…`. Braces mark values that only an answer has.',
          },
          body: { ...nullableText, description: 'The body of the request.' },
          repeats: {
            ...nullableText,
            description: 'How often it is made, if not once: `for each of projects`.',
          },
          paged: {
            type: 'boolean',
            description: 'Further pages are requested until the last one.',
          },
        },
        required: ['name', 'request', 'body', 'repeats', 'paged'],
        additionalProperties: false,
      },
    },
  },
  required: ['target', 'type', 'incremental', 'requests'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const scheduleRequestSchema = {
  type: 'object',
  title: 'ScheduleRequest',
  description: 'A source, and the changes of its schedule.',
  properties: {
    target: { ...target, description: 'The root of a registered source.' },
    ...scheduleProperties,
  },
  required: ['target'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const scheduleResponseSchema = {
  type: 'object',
  title: 'ScheduleResponse',
  properties: {
    target: { type: 'string', description: 'Canonical URI of the source.' },
    paused: { type: 'boolean', description: 'The source is synced only on request.' },
    next_sync_at: {
      ...nullableText,
      format: 'date-time',
      description: 'Next time of the schedule. Null without a schedule, and while it is paused.',
    },
  },
  required: ['target', 'paused', 'next_sync_at'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const moveRequestSchema = {
  type: 'object',
  title: 'MoveRequest',
  description: 'The source to move, and its new place.',
  properties: {
    target: { ...target, description: 'The root of a registered source.' },
    to: {
      ...target,
      description: 'Its new place: an absolute path or a URI with the scheme of the source.',
    },
    config: {
      ...connectorConfig,
      description:
        'Changes of the configuration: an omitted key stays, and `null` removes it. The schedule consists of such keys.',
    },
    force: {
      type: 'boolean',
      default: false,
      description: 'Also move to a place that lacks most objects of the source.',
    },
  },
  required: ['target', 'to'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const moveResponseSchema = {
  type: 'object',
  title: 'MoveResponse',
  properties: {
    target: { type: 'string', description: 'The new URI of the source.' },
    moved_from: { type: 'string', description: 'Its former URI.' },
    job_id: {
      type: 'string',
      description: 'The job that gives the index the new URIs, and then syncs the source.',
    },
    overlaps: {
      type: 'array',
      items: { type: 'string' },
      description: 'Other sources that contain the new place or lie in it.',
    },
    warnings: { type: 'array', items: { type: 'string' }, description: 'Advice for the user.' },
  },
  required: ['target', 'moved_from', 'job_id', 'overlaps', 'warnings'],
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
  properties: {
    target: { type: 'string', description: 'Canonical URI of the source.' },
    removed: { type: 'boolean', description: '`true` after the source and its data were removed.' },
  },
  required: ['target', 'removed'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const connectorTypeQuerySchema = {
  type: 'object',
  properties: {
    scheme: {
      ...text,
      maxLength: 100,
      description: 'URI scheme of a source, such as `postgres`.',
    },
  },
  required: ['scheme'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const connectorTypeSchema = {
  type: 'object',
  title: 'ConnectorType',
  properties: {
    type: { type: 'string', description: 'URI scheme of the source.' },
    config_schema: {
      ...freeForm,
      description: 'JSON Schema of the configuration. `writeOnly` marks secrets.',
    },
    address: {
      ...nullableText,
      description:
        'Label for the part of a URI after `scheme://`: `Repository (owner/name)`. Null if the connector has none.',
    },
    questions: {
      type: 'array',
      description: 'The most common settings, with a question for each.',
      items: {
        type: 'object',
        title: 'ConnectorQuestion',
        properties: {
          setting: { type: 'string', description: 'Name of a setting in `config_schema`.' },
          ask: { type: 'string', description: 'The question: `Access token`.' },
          help: { ...nullableText, description: 'Where people find the answer.' },
        },
        required: ['setting', 'ask', 'help'],
        additionalProperties: false,
      },
    },
  },
  required: ['type', 'config_schema', 'address', 'questions'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export type ProbeResponse = Infer<typeof probeResponseSchema>;

export type EstimateResponse = Infer<typeof estimateResponseSchema>;

export type ExplainResponse = Infer<typeof explainResponseSchema>;

export type InspectResponse = Infer<typeof inspectResponseSchema>;

export type MoveResponse = Infer<typeof moveResponseSchema>;

/** The source to move, and its new place. */
export type MoveRequest = RequestInput<typeof moveRequestSchema>;

export type ScheduleResponse = Infer<typeof scheduleResponseSchema>;

/** A source, and the changes of its schedule. An omitted key stays, and null removes it. */
export type ScheduleRequest = RequestInput<typeof scheduleRequestSchema>;

export type RemoveResponse = Infer<typeof removeResponseSchema>;

export type ConnectorType = Infer<typeof connectorTypeSchema>;

export type ConnectorTypeQuery = RequestInput<typeof connectorTypeQuerySchema>;

export type ProbeRequest = RequestInput<typeof probeRequestSchema>;

/** The source whose next sync to explain. */
export type ExplainRequest = RequestInput<typeof explainRequestSchema>;

export type TargetQuery = RequestInput<typeof targetQuerySchema>;
