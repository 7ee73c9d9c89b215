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
/** What is said of a model behind an API, whatever it is for. */
const modelEndpoint = {
  model: { ...text, description: "The provider's name for the model." },
  base_url: { ...text, description: "Base URL of the provider's API." },
  api_key: { ...text, writeOnly: true, description: "The provider's API key." },
} as const;
const configByKey = { type: 'object', additionalProperties: { type: 'object' } } as const;

/** Every setting of `server.toml` with its default. Settings without one are optional, or derived where stated. */
export const settingsSchema = {
  type: 'object',
  properties: {
    namespace: {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      default: 'default',
      description:
        "Servers with different namespaces can share databases without seeing each other's data.",
    },
    auth_token: {
      type: 'string',
      default: '',
      writeOnly: true,
      description:
        'Bearer token that requests must carry, or a reference to it: `env:NAME`, `file:/path`. If it is empty, a token is ' +
        'generated once and stored in `server.token` in the home; `-` means that no token is required.',
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
        description: 'Folders that local sources must lie in; if empty, any folder.',
      },
      request_timeout_s: {
        type: 'integer',
        minimum: 1,
        maximum: 86_400,
        default: 300,
        description: 'How long a request may take, in seconds.',
      },
    }),
    metadata: section('Sources, objects and jobs.', {
      backend: { ...text, default: 'sqlite', description: '`sqlite` or `postgres`.' },
      path: {
        ...text,
        default: 'metadata.db',
        description: 'Database file for `sqlite`, relative to the home unless absolute.',
      },
      dsn: { ...text, writeOnly: true, description: 'Connection URL, required for `postgres`.' },
    }),
    transformation_cache: section('A cache of embeddings and of answers of the language model.', {
      enabled: { type: 'boolean', default: true, description: 'Whether they are cached.' },
      backend: { ...text, description: '`sqlite` or `postgres`; by default as in `[metadata]`.' },
      path: {
        ...text,
        default: 'transformation_cache.db',
        description: 'Database file for `sqlite`, relative to the home unless absolute.',
      },
      dsn: {
        ...text,
        writeOnly: true,
        description: 'Connection URL; by default as in `[metadata]`.',
      },
      max_size_gb: {
        type: 'number',
        minimum: 0,
        default: 5,
        description: 'Maximum size in GiB; beyond it, the least recently used entries are dropped.',
      },
    }),
    artifact_cache: section('Documents converted to Markdown, which may be deleted at any time.', {
      path: {
        ...text,
        default: 'cache',
        description: 'Folder, relative to the home unless absolute.',
      },
      max_size_gb: {
        type: 'number',
        minimum: 0,
        default: 10,
        description: 'Maximum size in GiB; beyond it, the least recently used entries are dropped.',
      },
    }),
    index: section('The vectors and words of all chunks.', {
      uri: {
        ...text,
        default: 'index.lance',
        description:
          'A folder, relative to the home unless absolute, or a URI: `s3://…`, `gs://…`, `az://…`, `db://…`, or `postgres://…` of a database with pgvector.',
      },
      token: {
        ...text,
        writeOnly: true,
        description: 'API key of a hosted index, or password of the database user.',
      },
    }),
    embedding: section('How texts become vectors.', {
      provider: {
        ...text,
        default: 'lexical',
        description:
          '`lexical` needs nothing; `openai` is any OpenAI-compatible endpoint; `ollama`, `lmstudio`, `vllm` and `tei` (Text Embeddings Inference) are those on this machine.',
      },
      model: { ...text, description: "The provider's name for the model." },
      dimension: {
        type: 'integer',
        minimum: 1,
        maximum: 16_384,
        description: "Length of the vectors; by default the provider's own.",
      },
      base_url: { ...text, description: "Base URL of the provider's API." },
      api_key: { ...text, writeOnly: true, description: "The provider's API key." },
      batch_size: {
        type: 'integer',
        minimum: 1,
        maximum: 4096,
        default: 128,
        description: 'Number of texts per call.',
      },
      concurrency: {
        type: 'integer',
        minimum: 1,
        maximum: 64,
        default: 2,
        description: 'Number of calls at the same time.',
      },
    }),
    llm: section('The language model: it writes summaries and descriptions, and works on graphs.', {
      provider: {
        ...text,
        default: 'rules',
        description:
          '`rules` needs none: graphs are built by rules and answers quote; `openai` is any OpenAI-compatible endpoint, `ollama` the one of Ollama on this machine.',
      },
      ...modelEndpoint,
      concurrency: {
        type: 'integer',
        minimum: 1,
        maximum: 64,
        default: 4,
        description: 'Number of calls at the same time.',
      },
      timeout_s: {
        type: 'integer',
        minimum: 1,
        maximum: 3600,
        default: 60,
        description: 'How long a call may take, in seconds.',
      },
      max_tokens_per_job: {
        type: 'integer',
        minimum: 1,
        default: 1_000_000,
        description:
          'How many tokens a sync may spend, read and written together. What is left to do is done by the next one.',
      },
    }),
    rerank: section('A second look at the best hits of each search, by a model.', {
      provider: {
        ...text,
        default: 'none',
        description:
          '`none`; `cohere` is any endpoint with the `/rerank` of Cohere, as Jina, vLLM and llama.cpp have it, `tei` that of Text Embeddings Inference, `llm` the language model of `[llm]`.',
      },
      ...modelEndpoint,
      window: {
        type: 'integer',
        minimum: 2,
        maximum: 100,
        default: 20,
        description: 'How many of the best hits it puts in order.',
      },
      timeout_ms: {
        type: 'integer',
        minimum: 50,
        maximum: 60_000,
        default: 3000,
        description:
          'How long it may take, in milliseconds; then the hits stay as they were found.',
      },
      concurrency: {
        type: 'integer',
        minimum: 1,
        maximum: 64,
        default: 4,
        description: 'Number of calls at the same time.',
      },
    }),
    summary: section('Summaries of texts, of table schemas and of folders, found by search.', {
      enabled: { type: 'boolean', default: false, description: 'Whether they are written.' },
      min_chars: {
        type: 'integer',
        minimum: 0,
        default: 2000,
        description: 'Shorter texts, in characters, have none: they say it themselves.',
      },
      max_chars: {
        type: 'integer',
        minimum: 100,
        maximum: 1_000_000,
        default: 12_000,
        description: 'How many characters of the beginning of a text the language model reads.',
      },
    }),
    description: section(
      'Descriptions of images (PNG, JPEG, GIF, WebP) by a language model that understands them, found by search.',
      {
        enabled: { type: 'boolean', default: false, description: 'Whether they are written.' },
        max_image_bytes: {
          type: 'integer',
          minimum: 1,
          maximum: 52_428_800,
          default: 5_242_880,
          description: 'Maximum size of an image, in bytes; larger ones have none.',
        },
      },
    ),
    ocr: section(
      'Text in images (PNG, JPEG, TIFF, WebP, BMP) and in scanned PDFs, recognised on this machine by a plugin that has to be installed: `@trove/converter-ocr`.',
      {
        enabled: { type: 'boolean', default: false, description: 'Whether it is recognised.' },
        languages: {
          type: 'array',
          items: text,
          default: ['eng'],
          description:
            'Languages of the texts, the most frequent first, by the names that Tesseract has for them. Each but `eng` has to be installed: `@tesseract.js-data/deu`.',
        },
      },
    ),
    worker: section('Who works on queued jobs.', {
      in_process: {
        type: 'boolean',
        default: true,
        description:
          'Whether the server itself does, if the metadata is in `sqlite`; otherwise run `trove-server worker`.',
      },
      concurrency: {
        anyOf: [{ const: 'auto' }, { type: 'integer', minimum: 1, maximum: 256 }],
        default: 'auto',
        description:
          'Number of threads that read objects and split them into chunks; `auto` is one fewer than there are processors, two of two, and at most eight.',
      },
    }),
    ingest: section('What is indexed, and how.', {
      max_file_bytes: {
        type: 'integer',
        minimum: 1,
        default: 67_108_864,
        description: 'Maximum size of a file, in bytes; larger ones are listed but not indexed.',
      },
      chunk_chars: {
        type: 'integer',
        minimum: 256,
        maximum: 32_768,
        default: 2048,
        description: 'Maximum number of characters in a chunk.',
      },
      chunk_max: {
        type: 'integer',
        minimum: 1,
        maximum: 10_000_000,
        default: 100_000,
        description:
          'Maximum number of chunks of a file, a record or a thread; search does not find what lies beyond.',
      },
    }),
    uploads: section('Files that clients send. They are the only copy that the server has.', {
      path: {
        ...text,
        default: 'uploads',
        description: 'Folder, relative to the home unless absolute.',
      },
      max_bytes: {
        type: 'integer',
        minimum: 1,
        default: 2 * GiB,
        description: 'Maximum size of an upload, in bytes, as it is sent and as it is unpacked.',
      },
    }),
    jobs: section('Jobs that have ended.', {
      retention_days: {
        type: 'integer',
        minimum: 1,
        maximum: 36_500,
        default: 30,
        description: 'How many days they are kept.',
      },
    }),
    log: section('The log.', {
      level: {
        enum: ['debug', 'info', 'warn', 'error', 'silent'],
        default: 'info',
        description: 'The lowest level that is written.',
      },
      format: {
        enum: ['pretty', 'json'],
        description: 'By default `pretty` on a terminal and `json` elsewhere.',
      },
      file: {
        ...text,
        description:
          'File to write it to, relative to the home unless absolute; by default it goes to standard error. ' +
          '`trove serve start` sets it to `serve/server.log`.',
      },
      max_size_mb: {
        type: 'number',
        minimum: 1,
        default: 10,
        description:
          'Size in MB at which the file is rotated: it becomes `FILE.1`, and a new one begins.',
      },
      keep: {
        type: 'integer',
        minimum: 0,
        maximum: 100,
        default: 5,
        description: 'Number of former files that are kept.',
      },
    }),
    graph: section('Knowledge graphs.', {
      default_graph: {
        type: 'string',
        pattern: '^[A-Za-z0-9_-]{1,64}$',
        default: 'default',
        description: 'The graph used when a request names none.',
      },
      base_path: {
        type: 'string',
        pattern: '^(/[A-Za-z0-9_-]+)*$',
        default: '',
        description: 'Path prefix of the graph routes, such as `/graph`.',
      },
      classic_answers: {
        type: 'boolean',
        default: false,
        description:
          'Whether `POST /query` answers with strings in `query_entities` and `retrieved_passages`, as clients of the original expect; the header `Trove-Graph-Answers: classic` asks for this once.',
      },
      private_hosts: {
        type: 'array',
        items: text,
        default: [],
        description:
          'Hosts (`wiki.internal`, `127.0.0.1:8080`) whose pages may be imported although their addresses are private.',
      },
    }),
    plugins: {
      type: 'object',
      additionalProperties: text,
      default: {},
      description:
        'Plugin packages: a scheme or provider, and the name of the package that serves it.',
    },
    plugin_config: section(
      'Settings for plugins, whoever wrote them. Each has a section of its own, named by its kind and by its scheme, provider, backend or media type.',
      {
        connector: configByKey,
        'metadata-store': configByKey,
        'transformation-cache': configByKey,
        'vector-index': configByKey,
        embedder: configByKey,
        'language-model': configByKey,
        reranker: configByKey,
        converter: configByKey,
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
