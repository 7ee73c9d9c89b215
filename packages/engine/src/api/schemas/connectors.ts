import type { Infer, JsonSchema } from '@trove/core';
import { count, target, type Input } from './shared.js';

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

export type ProbeResponse = Infer<typeof probeResponseSchema>;

export type EstimateResponse = Infer<typeof estimateResponseSchema>;

export type InspectResponse = Infer<typeof inspectResponseSchema>;

export type RemoveResponse = Infer<typeof removeResponseSchema>;

export type ProbeRequest = Input<typeof probeRequestSchema>;

export type TargetQuery = Input<typeof targetQuerySchema>;
