import type { Infer, JsonSchema } from '@trove/core';
import { count, nullableText } from './shared.js';

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
        schemes: {
          type: 'array',
          items: { type: 'string' },
          description: 'URI schemes of sources that can be added.',
        },
      },
      required: ['schemes'],
      additionalProperties: false,
    },
  },
  required: ['version', 'machine_id', 'namespace', 'api_version', 'capabilities'],
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
          status: {
            type: 'string',
            description:
              'active, syncing, removing, or error (the last sync failed, or the source could not be reached since then).',
          },
          object_count: count,
          chunk_count: count,
          last_synced_at: { ...nullableText, format: 'date-time' },
          error: {
            ...nullableText,
            description: 'Error code: what is known to be wrong with the source.',
          },
          detail: { ...nullableText, description: 'The same in words, for people.' },
        },
        required: [
          'root_uri',
          'type',
          'status',
          'object_count',
          'chunk_count',
          'last_synced_at',
          'error',
          'detail',
        ],
        additionalProperties: false,
      },
    },
    jobs: { type: 'object', additionalProperties: count, description: 'Number of jobs by status.' },
  },
  required: ['connectors', 'jobs'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export type ServerInfo = Infer<typeof serverInfoSchema>;

export type StatusResponse = Infer<typeof statusResponseSchema>;
