import type { Infer, JsonSchema } from '@trove/core';
import { count, nullableText } from './shared.js';

const bytes = { type: ['integer', 'null'], minimum: 0 } as const;

export const serverInfoSchema = {
  type: 'object',
  title: 'ServerInfo',
  properties: {
    version: { type: 'string', description: 'Of the server.' },
    machine_id: { type: 'string', description: 'Stable for this machine.' },
    namespace: {
      type: 'string',
      description:
        "Servers of different namespaces may share databases without seeing each other's data.",
    },
    api_version: { type: 'string', description: 'Of the routes: `v1`.' },
    capabilities: {
      type: 'object',
      description: 'What can be asked of this server.',
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

export const readyResponseSchema = {
  type: 'object',
  title: 'Ready',
  properties: {
    status: { const: 'ready', type: 'string', description: 'Always ready.' },
    warnings: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Codes of problems that do not stop reads: `disk_low` (a disk of the server has less than 500 MB left). There may be more in future.',
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
          type: { type: 'string', description: 'Its scheme, such as file.' },
          status: {
            type: 'string',
            description:
              'active, syncing, removing, or error (the last sync failed, or the source could not be reached since then).',
          },
          object_count: { ...count, description: 'Objects that are known.' },
          chunk_count: { ...count, description: 'Chunks of them in the index.' },
          last_synced_at: {
            ...nullableText,
            format: 'date-time',
            description: 'When it was last synced to the end; null before that.',
          },
          error: {
            ...nullableText,
            description: 'Error code: what is known to be wrong with the source.',
          },
          detail: { ...nullableText, description: 'The same in words, for people.' },
          watch: {
            type: ['object', 'null'],
            title: 'SourceWatch',
            description:
              'How a source with `watch = true` is kept up to date; null: it is not watched, or not by this process.',
            properties: {
              by: {
                type: 'string',
                description:
                  '`events` (the source reports changes) or `polling` (it is synced at intervals); there may be more in future.',
              },
              every_seconds: {
                type: ['integer', 'null'],
                minimum: 1,
                description: 'Time until the next of these syncs; null with `events`.',
              },
              detail: {
                ...nullableText,
                description: 'Why it is polled and what to do, for people; null with `events`.',
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
          'last_synced_at',
          'error',
          'detail',
          'watch',
        ],
        additionalProperties: false,
      },
    },
    embedding: {
      type: 'object',
      title: 'EmbeddingUse',
      description: 'What the vectors of the index are made with.',
      properties: {
        name: { type: 'string', description: 'Model and dimension of the configured embedder.' },
        switch: {
          type: ['object', 'null'],
          title: 'EmbeddingSwitch',
          description:
            'How far the sources are indexed with it that were indexed with another one; null: all are.',
          properties: {
            from: {
              type: 'array',
              items: { type: 'string' },
              description: 'The embedders whose index still answers for some sources, by words.',
            },
            sources: { ...count, description: 'All registered sources.' },
            sources_done: { ...count, description: 'Those answered from the new index.' },
            objects: { ...count, description: 'Objects of all sources, about.' },
            objects_done: { ...count, description: 'Those that the new index has, about.' },
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
        'Bytes that the server keeps, on its disk or in a database; up to a minute old. Null: not known, or not yet.',
      properties: {
        metadata: { ...bytes, description: 'The database of sources, objects and jobs.' },
        index: { ...bytes, description: 'The vectors and words of all chunks.' },
        transformation_cache: {
          ...bytes,
          description: 'Embeddings and answers of the language model.',
        },
        artifact_cache: { ...bytes, description: 'Converted documents.' },
        uploads: { ...bytes, description: 'Files that clients sent.' },
      },
      required: ['metadata', 'index', 'transformation_cache', 'artifact_cache', 'uploads'],
      additionalProperties: false,
    },
    disk_space: {
      type: 'array',
      description: 'The disks that the server writes to, each once; up to 5 s old.',
      items: {
        type: 'object',
        title: 'DiskSpace',
        properties: {
          name: {
            type: 'string',
            description:
              'What is on it, the first of home, metadata, transformation_cache, index, artifact_cache and uploads; there may be more in future.',
          },
          free_bytes: { ...bytes, description: 'Free space; null: the disk does not answer.' },
          state: {
            type: 'string',
            description:
              'ok, low (less than 500 MB left), full (less than 10 MB left) or unknown (the disk does not answer); there may be more in future.',
          },
          detail: { ...nullableText, description: 'What is wrong and what to do, for people.' },
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
