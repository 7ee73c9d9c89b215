import type { Infer, JsonSchema } from '@trove/core';

const GiB = 1024 ** 3;
const text = { type: 'string', minLength: 1, pattern: '\\S' } as const;

function section<const P extends Readonly<Record<string, JsonSchema>>>(
  description: string,
  properties: P,
) {
  return {
    type: 'object',
    description,
    properties,
    additionalProperties: false,
    default: {},
  } as const;
}

/** Validated by the plugin's own schema. */
const byKey = { type: 'object', additionalProperties: { type: 'object' } } as const;

/** Every setting of `server.toml` with its default. Settings without one are optional, or derived where stated. */
export const settingsSchema = {
  type: 'object',
  properties: {
    namespace: {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      default: 'default',
      description:
        'Servers with different namespaces can use the same databases and see nothing of each other.',
    },
    auth_token: {
      type: 'string',
      default: '',
      writeOnly: true,
      description:
        'Bearer token that requests must carry. Empty: a token is made once and kept in `server.token` in the home. ' +
        '`-`: no token is asked for.',
    },
    server: section('The HTTP server.', {
      bind: { ...text, default: '127.0.0.1:13619', description: 'Address and port to listen on.' },
      cors_origins: {
        type: 'array',
        items: text,
        default: [],
        description:
          'Origins of web pages that may call the server, such as `https://app.example`.',
      },
      allowed_roots: {
        type: 'array',
        items: { type: 'string', pattern: '^/' },
        default: [],
        description: 'Folders that local sources must be in. Empty: any folder.',
      },
      request_timeout_s: {
        type: 'integer',
        minimum: 1,
        maximum: 86_400,
        default: 300,
        description: 'Seconds that a request may take.',
      },
    }),
    metadata: section('Sources, objects and jobs.', {
      backend: { ...text, default: 'sqlite', description: '`sqlite` or `postgres`.' },
      path: {
        ...text,
        default: 'metadata.db',
        description: 'Database file of `sqlite`; below the home unless absolute.',
      },
      dsn: { ...text, writeOnly: true, description: 'Connection URL; `postgres` needs it.' },
    }),
    transformation_cache: section('Embeddings that were computed already, by content.', {
      enabled: { type: 'boolean', default: true, description: 'Whether they are kept.' },
      backend: { ...text, description: '`sqlite` or `postgres`; left out: as `[metadata]`.' },
      path: {
        ...text,
        default: 'transformation_cache.db',
        description: 'Database file of `sqlite`; below the home unless absolute.',
      },
      dsn: { ...text, writeOnly: true, description: 'Connection URL; left out: as `[metadata]`.' },
      max_size_gb: {
        type: 'number',
        minimum: 0,
        default: 5,
        description: 'Size in GiB from which the entries used longest ago are dropped.',
      },
    }),
    artifact_cache: section(
      'What was made of objects, such as converted text. Nothing uses it yet.',
      {
        path: {
          ...text,
          default: 'cache',
          description: 'A folder; below the home unless absolute.',
        },
        max_size_gb: {
          type: 'number',
          minimum: 0,
          default: 10,
          description: 'Size in GiB from which the entries used longest ago are dropped.',
        },
      },
    ),
    index: section('Vectors and words of all chunks.', {
      uri: {
        ...text,
        default: 'index.lance',
        description: 'A folder, below the home unless absolute; or `s3://…`, `db://…`.',
      },
      token: { ...text, writeOnly: true, description: 'Key of a hosted index.' },
    }),
    embedding: section('How texts become vectors.', {
      provider: {
        ...text,
        default: 'lexical',
        description: '`lexical` needs nothing; `openai` is any endpoint compatible with it.',
      },
      model: { ...text, description: "The provider's name of the model." },
      dimension: {
        type: 'integer',
        minimum: 1,
        maximum: 16_384,
        description: "Length of the vectors; left out: the provider's own.",
      },
      base_url: { ...text, description: 'Where the provider answers.' },
      api_key: { ...text, writeOnly: true, description: "The provider's key." },
      batch_size: {
        type: 'integer',
        minimum: 1,
        maximum: 4096,
        default: 128,
        description: 'Texts in one call.',
      },
      concurrency: {
        type: 'integer',
        minimum: 1,
        maximum: 64,
        default: 2,
        description: 'Calls at a time.',
      },
    }),
    llm: section('The language model behind summaries and graphs. Nothing uses it yet.', {
      provider: { ...text, default: 'rules', description: '`rules` needs no model.' },
      model: { ...text, description: "The provider's name of the model." },
      base_url: { ...text, description: 'Where the provider answers.' },
      api_key: { ...text, writeOnly: true, description: "The provider's key." },
      concurrency: {
        type: 'integer',
        minimum: 1,
        maximum: 64,
        default: 4,
        description: 'Calls at a time.',
      },
      timeout_s: {
        type: 'integer',
        minimum: 1,
        maximum: 3600,
        default: 60,
        description: 'Seconds that one call may take.',
      },
    }),
    summary: section('Summaries of objects and folders. Nothing writes them yet.', {
      enabled: { type: 'boolean', default: false, description: 'Whether they are written.' },
    }),
    description: section('Descriptions of images. Nothing writes them yet.', {
      enabled: { type: 'boolean', default: false, description: 'Whether they are written.' },
    }),
    worker: section('Who works on queued jobs.', {
      in_process: {
        type: 'boolean',
        default: true,
        description:
          'Whether the server does, while metadata is `sqlite`; else run `trove-server worker`.',
      },
      concurrency: {
        anyOf: [{ const: 'auto' }, { type: 'integer', minimum: 1, maximum: 256 }],
        default: 'auto',
        description:
          'Threads that read and cut objects; `auto`: one fewer than there are processors.',
      },
    }),
    ingest: section('What is indexed, and how.', {
      max_file_bytes: {
        type: 'integer',
        minimum: 1,
        default: 67_108_864,
        description: 'Larger files are listed, not indexed.',
      },
      chunk_chars: {
        type: 'integer',
        minimum: 256,
        maximum: 32_768,
        default: 2048,
        description: 'Characters of a chunk at most.',
      },
      chunk_max: {
        type: 'integer',
        minimum: 1,
        maximum: 10_000_000,
        default: 100_000,
        description: 'Chunks of one object at most; what is beyond is not found by search.',
      },
    }),
    uploads: section('Files that clients send. Nothing takes them yet.', {
      max_bytes: {
        type: 'integer',
        minimum: 1,
        default: 2 * GiB,
        description: 'Bytes of one upload at most.',
      },
    }),
    jobs: section('Jobs that have ended.', {
      retention_days: {
        type: 'integer',
        minimum: 1,
        maximum: 36_500,
        default: 30,
        description: 'Days that they are kept.',
      },
    }),
    log: section('The log, on standard error.', {
      level: {
        enum: ['debug', 'info', 'warn', 'error', 'silent'],
        default: 'info',
        description: 'The least that is written.',
      },
      format: {
        enum: ['pretty', 'json'],
        description: 'Left out: `pretty` on a terminal, else `json`.',
      },
    }),
    graph: section('Knowledge graphs. There are none yet.', {
      default_graph: {
        type: 'string',
        pattern: '^[A-Za-z0-9_-]{1,64}$',
        default: 'default',
        description: 'The graph that is meant when a request names none.',
      },
      base_path: {
        type: 'string',
        pattern: '^(/[A-Za-z0-9_-]+)*$',
        default: '',
        description: 'Path in front of the graph routes, such as `/graph`.',
      },
    }),
    plugins: {
      type: 'object',
      additionalProperties: text,
      default: {},
      description:
        'Packages of plugins: the scheme or provider, and the name of the package that serves it.',
    },
    plugin_config: section(
      'Settings of plugins, whoever wrote them: one section for each, by its kind and its scheme, provider, backend or media type.',
      {
        connector: byKey,
        'metadata-store': byKey,
        'transformation-cache': byKey,
        'vector-index': byKey,
        embedder: byKey,
        'language-model': byKey,
        converter: byKey,
      },
    ),
  },
  additionalProperties: false,
} as const satisfies JsonSchema;

/** All settings after validation, with defaults. */
export type Settings = Infer<typeof settingsSchema>;

/** Settings as written: everything may be omitted. */
export type SettingsInput = {
  readonly [K in keyof Settings]?: Settings[K] extends object ? Partial<Settings[K]> : Settings[K];
};
