import { isTroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { builtinPackages } from '../src/builtin-packages.js';
import { engineOptions, replacedBuiltins } from '../src/engine-options.js';
import { resolveSettings, settingKeys, type SettingsInput } from '../src/index.js';

const test = suite('settings');
const home = '/srv/home';
const resolve = (input: unknown) => resolveSettings(input, { home });

test('has the defaults of the reference', () => {
  const settings = resolve({});
  assert.equal(settings, {
    home,
    namespace: 'default',
    auth_token: '',
    server: {
      bind: '127.0.0.1:13619',
      cors_origins: [],
      allowed_roots: [],
      request_timeout_s: 300,
    },
    metadata: { backend: 'sqlite', path: '/srv/home/metadata.db' },
    transformation_cache: {
      enabled: true,
      backend: 'sqlite',
      path: '/srv/home/transformation_cache.db',
      max_size_gb: 5,
    },
    artifact_cache: { path: '/srv/home/cache', max_size_gb: 10 },
    index: { uri: '/srv/home/index.lance' },
    embedding: { provider: 'lexical', batch_size: 128, concurrency: 2 },
    llm: { provider: 'rules', concurrency: 4, timeout_s: 60, max_tokens_per_job: 1_000_000 },
    rerank: { provider: 'none', window: 20, timeout_ms: 3000, concurrency: 4 },
    summary: { enabled: false, min_chars: 2000, max_chars: 12_000 },
    description: { enabled: false, max_image_bytes: 5_242_880 },
    ocr: { enabled: false, languages: ['eng'] },
    worker: { in_process: true, concurrency: 'auto', max_scheduled_jobs: 8 },
    ingest: { max_file_bytes: 64 * 1024 * 1024, chunk_chars: 2048, chunk_max: 100_000 },
    uploads: { path: '/srv/home/uploads', max_bytes: 2 * 1024 ** 3 },
    jobs: { retention_days: 30 },
    alerts: { command: [], after: 3 },
    log: { level: 'info', max_size_mb: 10, max_rotated_files: 5 },
    access: { trusted_proxies: [], users: {} },
    mcp: { write: false },
    graph: { default_graph: 'default', base_path: '', classic_answers: false, private_hosts: [] },
    plugins: {},
    plugin_config: {},
  });
});

test('every setting is described', () => {
  for (const { name, schema } of settingKeys) assert.ok(schema.description, name);
});

test('plugins of every kind can have settings', () => {
  const kinds = new Set(Object.keys(builtinPackages).map((key) => key.slice(0, key.indexOf(':'))));
  assert.ok(kinds.size > 5);
  for (const kind of kinds) {
    const sections = { [kind]: { mine: { size: 8 } } };
    assert.equal(resolve({ plugin_config: sections }).plugin_config, sections, kind);
  }
});

test('the transformation cache follows the metadata', () => {
  const dsn = 'postgres://u@h/d';
  const follows = resolve({ metadata: { backend: 'postgres', dsn } }).transformation_cache;
  assert.is(follows.backend, 'postgres');
  assert.is(follows.dsn, dsn);
  const own = resolve({
    metadata: { backend: 'postgres', dsn },
    transformation_cache: { backend: 'sqlite', path: '/var/t.db' },
  }).transformation_cache;
  assert.is(own.backend, 'sqlite');
  assert.is(own.path, '/var/t.db');
});

test('keeps the URI of the index and resolves a folder below the home', () => {
  assert.is(resolve({ index: { uri: 's3://bucket/x' } }).index.uri, 's3://bucket/x');
  assert.is(resolve({ index: { uri: '/var/i' } }).index.uri, '/var/i');
  assert.is(resolve({ index: { uri: 'i' } }).index.uri, '/srv/home/i');
});

test('postgres without a connection URL is refused', () => {
  for (const input of [
    { metadata: { backend: 'postgres' } },
    { transformation_cache: { backend: 'postgres' } },
  ]) {
    assert.throws(
      () => resolve(input),
      (error: unknown) => isTroveError(error) && error.code === 'config_invalid',
    );
  }
  assert.ok(resolve({ transformation_cache: { backend: 'postgres', enabled: false } }));
});

test('refuses anything but a table of settings', () => {
  for (const input of [
    null,
    [],
    'x',
    { server: [] },
    { server: null },
    { nope: {} },
    { server: { bin: 1 } },
  ]) {
    assert.throws(
      () => resolve(input),
      (error: unknown) => isTroveError(error) && error.code === 'config_invalid',
    );
  }
});

test('does not change the settings of the caller', () => {
  const input: SettingsInput = Object.freeze({ server: Object.freeze({}) });
  resolve(input);
  assert.equal(input, { server: {} });
});

test('passes the settings to the engine', () => {
  const options = engineOptions(
    resolve({
      namespace: 'n',
      server: { allowed_roots: ['/a'] },
      metadata: { backend: 'postgres', dsn: 'postgres://h/d' },
      transformation_cache: { backend: 'sqlite', max_size_gb: 1 },
      artifact_cache: { path: 'converted', max_size_gb: 2 },
      index: { uri: 'db://x', token: 't' },
      embedding: {
        provider: 'openai',
        model: 'm',
        dimension: 8,
        base_url: 'u',
        api_key: 'k',
        batch_size: 3,
        concurrency: 4,
      },
      llm: {
        provider: 'ollama',
        model: 'l',
        base_url: 'v',
        api_key: 'j',
        concurrency: 2,
        timeout_s: 30,
        max_tokens_per_job: 10,
      },
      rerank: {
        provider: 'cohere',
        model: 'r',
        base_url: 'w',
        api_key: 'i',
        window: 14,
        timeout_ms: 150,
        concurrency: 16,
      },
      summary: { enabled: true, min_chars: 11, max_chars: 120 },
      description: { enabled: true, max_image_bytes: 13 },
      worker: { concurrency: 5, max_scheduled_jobs: 6 },
      ingest: { max_file_bytes: 6, chunk_chars: 512, chunk_max: 7 },
      uploads: { path: 'sent', max_bytes: 9 },
      jobs: { retention_days: 8 },
      alerts: {
        webhook: 'https://h/alert',
        command: ['page'],
        after: 4,
        url: 'https://trove.example',
      },
      plugin_config: { embedder: { openai: { organization: 'o' } }, converter: { 'a/b': {} } },
    }),
  );
  const {
    pluginPackages: _given,
    builtinPackages: _builtin,
    builtinRoot: _root,
    ...rest
  } = options;
  assert.equal(rest, {
    namespace: 'n',
    pluginConfig: { 'embedder:openai': { organization: 'o' }, 'converter:a/b': {} },
    metadata: { backend: 'postgres', config: { dsn: 'postgres://h/d' } },
    transformationCache: {
      backend: 'sqlite',
      config: { path: '/srv/home/transformation_cache.db' },
      maxBytes: 1024 ** 3,
    },
    artifactCache: { path: '/srv/home/converted', maxBytes: 2 * 1024 ** 3 },
    index: { uri: 'db://x', config: { token: 't' } },
    embedding: {
      provider: 'openai',
      config: { model: 'm', dimension: 8, base_url: 'u', api_key: 'k' },
      batchSize: 3,
      concurrency: 4,
    },
    llm: {
      provider: 'ollama',
      config: { model: 'l', base_url: 'v', api_key: 'j' },
      concurrency: 2,
      timeoutMs: 30_000,
      maxTokensPerJob: 10,
    },
    rerank: {
      provider: 'cohere',
      config: { model: 'r', base_url: 'w', api_key: 'i' },
      window: 14,
      timeoutMs: 150,
      concurrency: 16,
    },
    summary: { enabled: true, minChars: 11, maxChars: 120 },
    description: { enabled: true, maxImageBytes: 13 },
    worker: { concurrency: 5, maxScheduledJobs: 6 },
    alerts: {
      webhook: 'https://h/alert',
      command: ['page'],
      after: 4,
      baseUrl: 'https://trove.example',
    },
    ingest: { maxFileBytes: 6, chunkChars: 512, chunkMax: 7 },
    uploads: { folder: '/srv/home/sent', maxBytes: 9 },
    jobs: { retentionDays: 8 },
    allowedRoots: ['/a'],
    deniedRoots: ['/srv/home'],
    storagePaths: {
      home: '/srv/home',
      transformation_cache: '/srv/home/transformation_cache.db',
      artifact_cache: '/srv/home/converted',
      uploads: '/srv/home/sent',
    },
    deniedSecrets: {
      variables: [
        'TROVE_API_TOKEN',
        'TROVE_AUTH_TOKEN',
        'TROVE_METADATA_DSN',
        'TROVE_TRANSFORMATION_CACHE_DSN',
        'TROVE_INDEX_TOKEN',
        'TROVE_EMBEDDING_API_KEY',
        'TROVE_LLM_API_KEY',
        'TROVE_RERANK_API_KEY',
        'TROVE_ALERTS_WEBHOOK',
      ],
      files: [],
    },
    sourceFolder: '/srv/home/sources',
    credentialFolder: '/srv/home/credentials',
    taskFolder: '/srv/home/tasks',
  });
});

test('summaries and descriptions need a model that writes them', () => {
  for (const section of ['summary', 'description'] as const) {
    assert.throws(
      () => resolve({ [section]: { enabled: true } }),
      (error: unknown) =>
        isTroveError(error) &&
        error.message === `${section}.enabled: requires a language model` &&
        /ollama/.test(error.suggestions.join()),
    );
    resolve({ [section]: { enabled: true }, llm: { provider: 'ollama' } });
  }
});

test('a disabled cache is omitted', () => {
  assert.is(
    engineOptions(resolve({ transformation_cache: { enabled: false } })).transformationCache,
    null,
  );
});

test('a package in [plugins] serves its key without hiding other kinds', () => {
  const { pluginPackages } = engineOptions(resolve({ plugins: { s3: '@acme/s3', mine: 'mine' } }));
  assert.is(pluginPackages?.['connector:s3'], '@acme/s3');
  assert.is(pluginPackages?.['vector-index:s3'], undefined);
  assert.is(pluginPackages?.['vector-index:mine'], 'mine');
  assert.is(pluginPackages?.['embedder:mine'], 'mine');
});

test('reports packages that replace built-in plugins', () => {
  assert.equal(replacedBuiltins(resolve({ plugins: { mine: 'x', ftp: 'y' } })), []);
  assert.equal(replacedBuiltins(resolve({ plugins: { file: '@acme/file' } })), [
    {
      name: 'plugins.file',
      plugin: 'connector file',
      builtin: '@trove/connector-file',
      package: '@acme/file',
    },
  ]);
});

test.run();
