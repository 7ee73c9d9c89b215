import type { Infer, JsonSchema } from '@trove/core';
import { access } from './access-schema.js';
import { alerts, log } from './report-schemas.js';
import { configByKey, modelEndpoint, section, text } from './schema-parts.js';

const GiB = 1024 ** 3;
/** The schema of `server.toml` with all defaults. Settings without a default are optional or derived. */
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
        'Bearer token of requests, or a reference to it: `env:NAME`, `file:/path`. If it is empty, a token is generated once and ' +
        'stored in `server.token` in the home. `-` means that no token is required.',
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
        description: 'Folders that local sources must lie in. If empty, all folders are allowed.',
      },
      request_timeout_s: {
        type: 'integer',
        minimum: 1,
        maximum: 86_400,
        default: 300,
        description: 'Time limit of a request, in seconds.',
      },
    }),
    access,
    metadata: section('The metadata store: sources, objects and jobs.', {
      backend: { ...text, default: 'sqlite', description: '`sqlite` or `postgres`.' },
      path: {
        ...text,
        default: 'metadata.db',
        description: 'Database file for `sqlite`, relative to the home unless absolute.',
      },
      dsn: { ...text, writeOnly: true, description: 'Connection URL, required for `postgres`.' },
    }),
    transformation_cache: section('The cache of embeddings and of answers of the language model.', {
      enabled: { type: 'boolean', default: true, description: 'Whether the cache is used.' },
      backend: { ...text, description: '`sqlite` or `postgres`. Default: as in `[metadata]`.' },
      path: {
        ...text,
        default: 'transformation_cache.db',
        description: 'Database file for `sqlite`, relative to the home unless absolute.',
      },
      dsn: {
        ...text,
        writeOnly: true,
        description: 'Connection URL. Default: as in `[metadata]`.',
      },
      max_size_gb: {
        type: 'number',
        minimum: 0,
        default: 5,
        description: 'Maximum size in GiB. The least recently used entries are deleted first.',
      },
    }),
    artifact_cache: section(
      'The cache of documents converted to Markdown. It may be deleted at any time.',
      {
        path: {
          ...text,
          default: 'cache',
          description: 'Folder, relative to the home unless absolute.',
        },
        max_size_gb: {
          type: 'number',
          minimum: 0,
          default: 10,
          description: 'Maximum size in GiB. The least recently used entries are deleted first.',
        },
      },
    ),
    index: section('The vector index: terms and vectors of all chunks.', {
      uri: {
        ...text,
        default: 'index.lance',
        description:
          'A folder, relative to the home unless absolute, or a URI: `s3://…`, `gs://…`, `az://…`, `db://…`, or `postgres://…` for a database with pgvector.',
      },
      token: {
        ...text,
        writeOnly: true,
        description: 'API key of a hosted index, or password of the database user.',
      },
    }),
    embedding: section('The embedder, which turns texts into vectors.', {
      provider: {
        ...text,
        default: 'lexical',
        description:
          '`lexical` needs no model. `openai` is any OpenAI-compatible endpoint. `ollama`, `lmstudio`, `vllm` and `tei` (Text Embeddings Inference) are servers on this machine.',
      },
      model: { ...text, description: "The provider's name for the model." },
      dimension: {
        type: 'integer',
        minimum: 1,
        maximum: 16_384,
        description: 'Length of the vectors. Default: that of the model.',
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
    llm: section(
      'The language model. It writes summaries and descriptions, extracts graphs and answers questions.',
      {
        provider: {
          ...text,
          default: 'rules',
          description:
            '`rules` needs no model: it builds graphs by rules, and answers consist of quotes. `openai` is any OpenAI-compatible endpoint. `ollama` is Ollama on this machine.',
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
          description: 'Time limit of a call, in seconds.',
        },
        max_tokens_per_job: {
          type: 'integer',
          minimum: 1,
          default: 1_000_000,
          description:
            'Maximum number of input and output tokens per sync. The next sync continues the remaining work.',
        },
      },
    ),
    rerank: section('The reranker, a model that reorders the best hits of each search.', {
      provider: {
        ...text,
        default: 'none',
        description:
          '`none` disables it. `cohere` is any endpoint with the `/rerank` of Cohere, such as Jina, vLLM and llama.cpp. `tei` is Text Embeddings Inference. `llm` is the language model of `[llm]`.',
      },
      ...modelEndpoint,
      window: {
        type: 'integer',
        minimum: 2,
        maximum: 100,
        default: 20,
        description: 'Number of hits that it reorders.',
      },
      timeout_ms: {
        type: 'integer',
        minimum: 50,
        maximum: 60_000,
        default: 3000,
        description: 'Time limit in milliseconds. After it, the hits keep their order.',
      },
      concurrency: {
        type: 'integer',
        minimum: 1,
        maximum: 64,
        default: 4,
        description: 'Number of calls at the same time.',
      },
    }),
    summary: section('Summaries of texts, table schemas and folders. Searches find them.', {
      enabled: { type: 'boolean', default: false, description: 'Whether summaries are written.' },
      min_chars: {
        type: 'integer',
        minimum: 0,
        default: 2000,
        description: 'Minimum length of a text, in characters. Shorter texts get no summary.',
      },
      max_chars: {
        type: 'integer',
        minimum: 100,
        maximum: 1_000_000,
        default: 12_000,
        description:
          'Number of characters at the beginning of a text that the language model reads.',
      },
    }),
    description: section(
      'Descriptions of images (PNG, JPEG, GIF, WebP) by a language model that accepts images. Searches find them.',
      {
        enabled: {
          type: 'boolean',
          default: false,
          description: 'Whether descriptions are written.',
        },
        max_image_bytes: {
          type: 'integer',
          minimum: 1,
          maximum: 52_428_800,
          default: 5_242_880,
          description: 'Maximum size of an image, in bytes. Larger images get no description.',
        },
      },
    ),
    ocr: section(
      'Recognition of text in images (PNG, JPEG, TIFF, WebP, BMP) and scanned PDFs. It runs on this machine and requires the plugin `@trove/converter-ocr`.',
      {
        enabled: { type: 'boolean', default: false, description: 'Whether text is recognised.' },
        languages: {
          type: 'array',
          items: text,
          default: ['eng'],
          description:
            'Languages of the texts as Tesseract names them, the most frequent first. Install the package of each except `eng`, such as `@tesseract.js-data/deu`.',
        },
      },
    ),
    worker: section('The worker, which runs queued jobs.', {
      in_process: {
        type: 'boolean',
        default: true,
        description:
          'Whether the server runs jobs, if `[metadata]` is in `sqlite`. Otherwise run `trove-server worker`.',
      },
      concurrency: {
        anyOf: [{ const: 'auto' }, { type: 'integer', minimum: 1, maximum: 256 }],
        default: 'auto',
        description:
          'Number of threads that read objects and split them into chunks. `auto` is one fewer than the processors, at most eight (two for two processors).',
      },
      max_scheduled_jobs: {
        type: 'integer',
        minimum: 1,
        maximum: 32,
        default: 8,
        description:
          'Maximum number of scheduled syncs that one worker runs at the same time. Those that wait for a rate limit do not count.',
      },
    }),
    ingest: section('Limits of indexing.', {
      max_file_bytes: {
        type: 'integer',
        minimum: 1,
        default: 67_108_864,
        description: 'Maximum size of a file, in bytes. Larger files are listed but not indexed.',
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
          'Maximum number of chunks of a file, record or thread. Searches do not find the rest.',
      },
    }),
    uploads: section('Uploaded files. The server has no other copy of them.', {
      path: {
        ...text,
        default: 'uploads',
        description: 'Folder, relative to the home unless absolute.',
      },
      max_bytes: {
        type: 'integer',
        minimum: 1,
        default: 2 * GiB,
        description: 'Maximum size of an upload, in bytes, both packed and unpacked.',
      },
    }),
    jobs: section('Retention of ended jobs.', {
      retention_days: {
        type: 'integer',
        minimum: 1,
        maximum: 36_500,
        default: 30,
        description: 'Number of days for which ended jobs are kept.',
      },
    }),
    alerts,
    log,
    mcp: section('Agents, which use the Model Context Protocol at `/mcp`.', {
      write: {
        type: 'boolean',
        default: false,
        description: 'Whether agents may start syncs. Without it, all their tools only read.',
      },
    }),
    graph: section('Knowledge graphs.', {
      default_graph: {
        type: 'string',
        pattern: '^[A-Za-z0-9_-]{1,64}$',
        default: 'default',
        description: 'Graph of requests that name none.',
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
          'Whether `POST /query` returns strings in `query_entities` and `retrieved_passages`, as clients of the original expect. The header `Trove-Graph-Answers: classic` does this for one request.',
      },
      private_hosts: {
        type: 'array',
        items: text,
        default: [],
        description:
          'Hosts with private addresses whose pages may be imported (`wiki.internal`, `127.0.0.1:8080`).',
      },
    }),
    plugins: {
      type: 'object',
      additionalProperties: text,
      default: {},
      description: 'Plugin packages by scheme or provider.',
    },
    plugin_config: section(
      'Settings of plugins. Each plugin has its own section, named by its kind and its scheme, provider, backend or media type.',
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

/** Settings as written. All are optional. */
export type SettingsInput = {
  readonly [K in keyof Settings]?: Settings[K] extends object ? Partial<Settings[K]> : Settings[K];
};
