import type { Infer, JsonSchema } from '@trove/core';
import { count, nullableCount, nullableText } from './shared.js';

const bytes = { type: ['integer', 'null'], minimum: 0 } as const;

export const serverInfoSchema = {
  type: 'object',
  title: 'ServerInfo',
  properties: {
    version: { type: 'string', description: 'Version of the server.' },
    machine_id: { type: 'string', description: 'Stable id of the machine.' },
    namespace: {
      type: 'string',
      description:
        'Namespace of the server. Servers with different namespaces can share a database without sharing data.',
    },
    api_version: { type: 'string', description: 'Version of the routes: `v1`.' },
    capabilities: {
      type: 'object',
      description: 'Capabilities of the server.',
      properties: {
        schemes: {
          type: 'array',
          items: { type: 'string' },
          description: 'URI schemes of the sources that can be added.',
        },
      },
      required: ['schemes'],
      additionalProperties: false,
    },
    access: {
      type: 'object',
      title: 'CallerAccess',
      description: 'The access of the caller.',
      properties: {
        rights: {
          type: 'string',
          description: '`read`, `sync` or `admin`. Later versions may add values.',
        },
        sees_all: {
          type: 'boolean',
          description: '`false` if the token sees only some sources, folders or objects.',
        },
      },
      required: ['rights', 'sees_all'],
      additionalProperties: false,
    },
  },
  required: ['version', 'machine_id', 'namespace', 'api_version', 'capabilities', 'access'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const readyResponseSchema = {
  type: 'object',
  title: 'Ready',
  properties: {
    status: { const: 'ready', type: 'string', description: 'Always ready.' },
    warnings: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Codes of problems that do not prevent reading: `disk_low` (a disk of the server has less than 500 MB left). Later versions may add values.',
    },
  },
  required: ['status', 'warnings'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const statusResponseSchema = {
  type: 'object',
  title: 'StatusResponse',
  properties: {
    connectors: {
      type: 'array',
      description: 'The registered sources.',
      items: {
        type: 'object',
        title: 'ConnectorRow',
        properties: {
          root_uri: { type: 'string', description: 'Canonical URI of the source.' },
          type: { type: 'string', description: 'URI scheme of the source, such as `file`.' },
          status: {
            type: 'string',
            description:
              '`active`, `syncing`, `removing` or `error` (the last sync failed, or the source has become unreachable).',
          },
          object_count: { ...count, description: 'Number of known objects.' },
          chunk_count: { ...count, description: 'Number of their chunks in the index.' },
          disk_bytes: {
            ...nullableCount,
            description:
              'Size of the files that only this source has, and its share of the index by chunks. Up to a minute old. Null if unknown.',
          },
          last_synced_at: {
            ...nullableText,
            format: 'date-time',
            description: 'When the last complete sync ended. Null before the first.',
          },
          error: {
            ...nullableText,
            description: 'Error code of the current problem of the source.',
          },
          detail: { ...nullableText, description: 'Description of the problem, for people.' },
          next_sync_at: {
            ...nullableText,
            format: 'date-time',
            description:
              'Next time of the schedule. A time in the past means that the sync starts soon. Null without a schedule.',
          },
          paused: {
            type: 'boolean',
            description: 'The source is synced only on request, so `next_sync_at` is null.',
          },
          failing_since: {
            ...nullableText,
            format: 'date-time',
            description: 'When the current series of failed syncs began. Null without a problem.',
          },
          last_error: {
            type: ['object', 'null'],
            title: 'LastError',
            description: 'The last problem of the source, even if later syncs succeeded.',
            properties: {
              code: { type: 'string', description: 'Error code.' },
              detail: { type: 'string', description: 'Description, for people.' },
              at: { type: 'string', format: 'date-time', description: 'When it occurred.' },
            },
            required: ['code', 'detail', 'at'],
            additionalProperties: false,
          },
          watch: {
            type: ['object', 'null'],
            title: 'SourceWatch',
            description:
              'How a source with `watch = true` is kept up to date. Null if this process does not watch it.',
            properties: {
              by: {
                type: 'string',
                description:
                  '`events` (the source reports changes) or `polling` (the source is synced at intervals). Later versions may add values.',
              },
              every_seconds: {
                type: ['integer', 'null'],
                minimum: 1,
                description: 'Seconds between these syncs. Null with `events`.',
              },
              detail: {
                ...nullableText,
                description: 'Reason for polling and remedy, for people. Null with `events`.',
              },
            },
            required: ['by', 'every_seconds', 'detail'],
            additionalProperties: false,
          },
        },
        required: [
          'root_uri',
          'type',
          'status',
          'object_count',
          'chunk_count',
          'disk_bytes',
          'last_synced_at',
          'error',
          'detail',
          'next_sync_at',
          'paused',
          'failing_since',
          'last_error',
          'watch',
        ],
        additionalProperties: false,
      },
    },
    embedding: {
      type: 'object',
      title: 'EmbeddingUse',
      description: 'The embedder of the index.',
      properties: {
        name: {
          type: 'string',
          description: 'Name of the configured embedder, with model and dimension.',
        },
        switch: {
          type: ['object', 'null'],
          title: 'EmbeddingSwitch',
          description:
            'Progress of indexing sources with this embedder after a change. Null when all sources are done.',
          properties: {
            from: {
              type: 'array',
              items: { type: 'string' },
              description:
                'Earlier embedders whose index still answers for some sources, by words only.',
            },
            sources: { ...count, description: 'Number of registered sources.' },
            sources_done: { ...count, description: 'Sources that the new index answers for.' },
            objects: { ...count, description: 'Approximate number of objects in all sources.' },
            objects_done: {
              ...count,
              description: 'Approximate number of objects in the new index.',
            },
          },
          required: ['from', 'sources', 'sources_done', 'objects', 'objects_done'],
          additionalProperties: false,
        },
      },
      required: ['name', 'switch'],
      additionalProperties: false,
    },
    jobs: { type: 'object', additionalProperties: count, description: 'Number of jobs by status.' },
    disk: {
      type: 'object',
      title: 'DiskUse',
      description:
        'Bytes that the server stores on its disk or in a database, up to a minute old. Null if unknown.',
      properties: {
        metadata: { ...bytes, description: 'Database of sources, objects and jobs.' },
        index: { ...bytes, description: 'Vectors and terms of all chunks.' },
        transformation_cache: {
          ...bytes,
          description: 'Embeddings and answers of the language model.',
        },
        artifact_cache: { ...bytes, description: 'Converted documents.' },
        uploads: { ...bytes, description: 'Uploaded files.' },
      },
      required: ['metadata', 'index', 'transformation_cache', 'artifact_cache', 'uploads'],
      additionalProperties: false,
    },
    disk_space: {
      type: 'array',
      description: 'The disks that the server writes to, each once, up to 5 s old.',
      items: {
        type: 'object',
        title: 'DiskSpace',
        properties: {
          name: {
            type: 'string',
            description:
              'The first part of the data on this disk: `home`, `metadata`, `transformation_cache`, `index`, `artifact_cache` or `uploads`. Later versions may add values.',
          },
          free_bytes: { ...bytes, description: 'Free bytes. Null if the disk does not respond.' },
          state: {
            type: 'string',
            description:
              '`ok`, `low` (less than 500 MB left), `full` (less than 10 MB left) or `unknown` (the disk does not respond). Later versions may add values.',
          },
          detail: { ...nullableText, description: 'Problem and remedy, for people.' },
        },
        required: ['name', 'free_bytes', 'state', 'detail'],
        additionalProperties: false,
      },
    },
  },
  required: ['connectors', 'embedding', 'jobs', 'disk', 'disk_space'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export type ServerInfo = Infer<typeof serverInfoSchema>;

export type ReadyResponse = Infer<typeof readyResponseSchema>;

export type StatusResponse = Infer<typeof statusResponseSchema>;
