import { isAbsolute, join, sep } from 'node:path';
import type { EngineOptions } from '@trove/engine';
import type { PluginConfigs, PluginPackages } from '@trove/runtime';
import { builtinPackages } from './builtin-packages.js';
import { listOwnSecrets } from './own-secrets.js';
import { addOcrPlugins } from './ocr.js';
import type { ResolvedSettings } from './settings/resolve.js';

const GiB = 1024 ** 3;

/** Converts the settings to the options of the engine. */
export function engineOptions(settings: ResolvedSettings): EngineOptions {
  const { metadata, transformation_cache: cache, artifact_cache: artifacts } = settings;
  const { index, embedding, llm, ingest } = settings;
  return {
    namespace: settings.namespace,
    ...addOcrPlugins(
      settings.ocr,
      pluginPackages(settings.plugins),
      pluginConfig(settings.plugin_config),
    ),
    builtinRoot: import.meta.url,
    metadata: { backend: metadata.backend, config: databaseConfig(metadata) },
    transformationCache: cache.enabled
      ? {
          backend: cache.backend,
          config: databaseConfig(cache),
          maxBytes: Math.round(cache.max_size_gb * GiB),
        }
      : null,
    artifactCache: {
      path: artifacts.path,
      maxBytes: Math.round(artifacts.max_size_gb * GiB),
    },
    index: { uri: index.uri, config: omitUndefined({ token: index.token }) },
    embedding: {
      provider: embedding.provider,
      config: omitUndefined({
        model: embedding.model,
        dimension: embedding.dimension,
        base_url: embedding.base_url,
        api_key: embedding.api_key,
      }),
      batchSize: embedding.batch_size,
      concurrency: embedding.concurrency,
    },
    llm: {
      provider: llm.provider,
      config: languageModelConfig(llm),
      concurrency: llm.concurrency,
      timeoutMs: llm.timeout_s * 1000,
      maxTokensPerJob: llm.max_tokens_per_job,
    },
    rerank: rerankOptions(settings.rerank),
    summary: {
      enabled: settings.summary.enabled,
      minChars: settings.summary.min_chars,
      maxChars: settings.summary.max_chars,
    },
    description: {
      enabled: settings.description.enabled,
      maxImageBytes: settings.description.max_image_bytes,
    },
    worker: {
      concurrency: settings.worker.concurrency,
      maxScheduledJobs: settings.worker.max_scheduled_jobs,
    },
    alerts: alertOptions(settings),
    ingest: {
      maxFileBytes: ingest.max_file_bytes,
      chunkChars: ingest.chunk_chars,
      chunkMax: ingest.chunk_max,
    },
    uploads: {
      folder: settings.uploads.path,
      maxBytes: settings.uploads.max_bytes,
    },
    sourceFolder: join(settings.home, 'sources'),
    credentialFolder: join(settings.home, 'credentials'),
    taskFolder: join(settings.home, 'tasks'),
    jobs: { retentionDays: settings.jobs.retention_days },
    allowedRoots: settings.server.allowed_roots,
    deniedRoots: listOwnPaths(settings),
    storagePaths: listStoragePaths(settings),
    deniedSecrets: listOwnSecrets(settings),
  };
}

/** A server on all addresses has no address of its own, so its alerts have no link without `url`. */
export function alertOptions({
  alerts: { webhook, command, after, url },
  server,
}: Pick<ResolvedSettings, 'alerts' | 'server'>): NonNullable<EngineOptions['alerts']> {
  const isEverywhere = /^(0\.0\.0\.0|\[::\]):/.test(server.bind);
  const baseUrl = url ?? (isEverywhere ? undefined : `http://${server.bind}`);
  return {
    command,
    after,
    ...(webhook === undefined ? {} : { webhook }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
}

/** Returns Trove's own paths on this machine, including those outside the home. */
export function listOwnPaths(settings: ResolvedSettings): string[] {
  const {
    home,
    metadata,
    transformation_cache: cache,
    artifact_cache: artifacts,
    index,
    uploads,
    log,
  } = settings;
  const rotated = Array.from({ length: log.max_rotated_files }, (_, at) => `.${at + 1}`);
  const databases = [metadata, cache].filter(({ backend }) => backend === 'sqlite');
  const paths = [
    artifacts.path,
    uploads.path,
    ...(isAbsolute(index.uri) ? [index.uri] : []),
    ...(log.file === undefined ? [] : ['', ...rotated].map((end) => `${log.file}${end}`)),
    ...databases.flatMap(({ path }) => ['', '-wal', '-shm', '-journal'].map((end) => path + end)),
  ];
  const isAtHome = (path: string): boolean => path.startsWith(home + sep);
  return [home, ...paths.filter((path) => !isAtHome(path))];
}

/** Returns the paths on this machine that the engine writes to, starting with the home. */
function listStoragePaths(settings: ResolvedSettings): Record<string, string> {
  const { home, metadata, transformation_cache, artifact_cache, index, uploads } = settings;
  const hasCache = transformation_cache.enabled && transformation_cache.backend === 'sqlite';
  return {
    home,
    ...(metadata.backend === 'sqlite' ? { metadata: metadata.path } : {}),
    ...(hasCache ? { transformation_cache: transformation_cache.path } : {}),
    ...(isAbsolute(index.uri) ? { index: index.uri } : {}),
    artifact_cache: artifact_cache.path,
    uploads: uploads.path,
  };
}

function databaseConfig(database: { backend: string; path: string; dsn?: string }) {
  if (database.backend === 'sqlite') return { path: database.path };
  return omitUndefined({ dsn: database.dsn });
}

/** The provider `rules` has no configuration. The settings of another model may stay while it is used. */
function languageModelConfig({ provider, model, base_url, api_key }: ResolvedSettings['llm']) {
  return provider === 'rules' ? {} : omitUndefined({ model, base_url, api_key });
}

function rerankOptions({
  provider,
  window,
  timeout_ms: timeoutMs,
  concurrency,
  ...config
}: ResolvedSettings['rerank']): NonNullable<EngineOptions['rerank']> | null {
  return provider === 'none'
    ? null
    : { provider, config: omitUndefined(config), window, timeoutMs, concurrency };
}

/**
 * Maps `[plugins]`, which has no kinds, to packages. A key applies to every kind, but does not hide a built-in
 * store, index or reranker.
 */
function pluginPackages(plugins: Readonly<Record<string, string>>): PluginPackages {
  const packages: Record<string, string> = {};
  for (const [key, name] of Object.entries(plugins)) {
    for (const kind of ['connector', 'embedder', 'language-model', 'converter'])
      packages[`${kind}:${key}`] = name;
    for (const kind of ['vector-index', 'metadata-store', 'transformation-cache', 'reranker']) {
      if (!(`${kind}:${key}` in builtinPackages)) packages[`${kind}:${key}`] = name;
    }
  }
  return packages;
}

/** Maps `[plugin_config.embedder.voyage]` to `embedder:voyage`. */
function pluginConfig(sections: ResolvedSettings['plugin_config']): PluginConfigs {
  return Object.fromEntries(
    Object.entries(sections).flatMap(([kind, plugins]) =>
      Object.entries(plugins).map(([key, config]) => [`${kind}:${key}`, config]),
    ),
  );
}

/** A built-in plugin that a package in `[plugins]` replaces. */
export interface ReplacedBuiltin {
  /** Name of the setting: `plugins.file`. */
  readonly name: string;
  /** `connector file`. */
  readonly plugin: string;
  readonly builtin: string;
  readonly package: string;
}

/** Returns the built-in plugins that the settings replace. */
export function replacedBuiltins({ plugins, ocr }: ResolvedSettings): ReplacedBuiltin[] {
  const builtins: Readonly<Record<string, string | undefined>> = {
    ...addOcrPlugins(ocr, {}, {}).builtinPackages,
  };
  return Object.entries(pluginPackages(plugins)).flatMap(([id, name]) => {
    const builtin = builtins[id];
    if (builtin === undefined || name === undefined || builtin === name) return [];
    const key = id.slice(id.indexOf(':') + 1);
    return [{ name: `plugins.${key}`, plugin: id.replace(':', ' '), builtin, package: name }];
  });
}

function omitUndefined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
