import type { Infer, JsonSchema } from '@trove/core';
import { count, target, type RequestInput } from './shared.js';

const connectorConfig = {
  type: ['object', 'null'],
  additionalProperties: true,
  default: null,
  description: "The connector's configuration, as for add.",
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
      description: 'For an estimate: count only what has changed since then.',
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
    type: { type: 'string', description: 'Its scheme, such as file.' },
    ok: { type: 'boolean', description: 'It can be reached.' },
    detail: { type: 'string', description: 'What was found, or why it cannot be reached.' },
  },
  required: ['target', 'type', 'ok', 'detail'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const estimateResponseSchema = {
  type: 'object',
  title: 'EstimateResponse',
  properties: {
    target: { type: 'string', description: 'Canonical URI of the source.' },
    type: { type: 'string', description: 'Its scheme, such as file.' },
    objects: { ...count, description: 'Objects that would be indexed.' },
    sampled_objects: { ...count, description: 'How many of them were read for it.' },
    est_chunks: { ...count, description: 'Chunks that they would become, estimated.' },
    est_tokens: { ...count, description: 'Tokens that would be embedded, estimated.' },
    complete: {
      type: 'boolean',
      description:
        'False for a source that is costly to list, such as a web site, if it holds more than could be listed in a few seconds: the numbers are of that much.',
    },
    top_level: {
      type: 'array',
      description: 'What the source holds at its top, in the order of the source: at most 200.',
      items: {
        type: 'object',
        title: 'TopLevelEntry',
        properties: {
          name: { type: 'string', description: 'As the source calls it.' },
          is_folder: { type: 'boolean', description: 'Whether the objects are below it.' },
          objects: { ...count, description: 'Objects that would be indexed of it.' },
        },
        required: ['name', 'is_folder', 'objects'],
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
    removed: { type: 'boolean', description: 'true: it is gone, and all that was known of it.' },
  },
  required: ['target', 'removed'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export type ProbeResponse = Infer<typeof probeResponseSchema>;

export type EstimateResponse = Infer<typeof estimateResponseSchema>;

export type InspectResponse = Infer<typeof inspectResponseSchema>;

export type RemoveResponse = Infer<typeof removeResponseSchema>;

export type ProbeRequest = RequestInput<typeof probeRequestSchema>;

export type TargetQuery = RequestInput<typeof targetQuerySchema>;
