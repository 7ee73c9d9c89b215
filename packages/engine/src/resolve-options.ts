import { createHash } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import type { EmbedderOptions, LanguageModelOptions } from '@trove/runtime';
import type { EngineOptions } from './options.js';
import type { AlertSettings, EngineSettings } from './settings.js';

const MiB = 1024 * 1024;

/** Needs no download and no key. */
export const defaultEmbedder = 'lexical';
/** Needs no download and no key. It serves the tasks of graphs. */
export const defaultLanguageModel = 'rules';

export function settingsOf(options: EngineOptions): EngineSettings {
  const { namespace = 'default' } = options;
  const threads = options.worker?.concurrency ?? 'auto';
  return {
    namespace,
    version: options.version ?? '0.0.0',
    machineId: options.machineId ?? createHash('sha256').update(hostname()).digest('hex'),
    allowedRoots: options.allowedRoots ?? [],
    deniedRoots: options.deniedRoots ?? [],
    storagePaths: options.storagePaths ?? {},
    deniedFiles: options.deniedSecrets?.files ?? [],
    deniedVariables: options.deniedSecrets?.variables ?? [],
    retentionMs: (options.jobs?.retentionDays ?? 30) * 24 * 60 * 60 * 1000,
    alerts: alertSettingsOf(options),
    maxFileBytes: options.ingest?.maxFileBytes ?? 64 * MiB,
    chunkChars: options.ingest?.chunkChars ?? 2048,
    chunkMax: options.ingest?.chunkMax ?? 100_000,
    threads: threads === 'auto' ? threadsFor(availableParallelism()) : threads,
    maxScheduledJobs: options.worker?.maxScheduledJobs ?? 8,
    summaries: options.summary?.enabled === true ? summaryLimits(options.summary) : null,
    descriptions:
      options.description?.enabled === true
        ? { maxImageBytes: options.description.maxImageBytes ?? 5 * MiB }
        : null,
    maxTokensPerJob: options.llm?.maxTokensPerJob ?? 1_000_000,
    uploadFolder: options.uploads?.folder ?? null,
    uploadMaxBytes: options.uploads?.maxBytes ?? 2048 * MiB,
    sourceFolder: options.sourceFolder ?? null,
    credentialFolder: options.credentialFolder ?? null,
    taskFolder: options.taskFolder ?? null,
    cacheMaxBytes: options.transformationCache?.maxBytes ?? 5 * 1024 * MiB,
    artifactsMaxBytes: options.artifactCache?.maxBytes ?? 10 * 1024 * MiB,
  };
}

export function alertSettingsOf({ alerts }: Pick<EngineOptions, 'alerts'>): AlertSettings {
  return {
    webhook: alerts?.webhook ?? null,
    command: alerts?.command ?? [],
    after: alerts?.after ?? 3,
    baseUrl: alerts?.baseUrl ?? null,
  };
}

/**
 * One thread fewer than processors, but two on two processors. The main thread's share of indexing leaves half of the
 * second processor idle, and indexing threads yield to callers.
 */
function threadsFor(processors: number): number {
  return Math.min(processors, Math.max(2, Math.min(8, processors - 1)));
}

function summaryLimits({ minChars, maxChars }: EngineOptions['summary'] & object) {
  return { minChars: minChars ?? 2000, maxChars: maxChars ?? 12_000 };
}

/** Whether a language model writes summaries or descriptions. */
export function needsWriter({ summary, description }: EngineOptions): boolean {
  return summary?.enabled === true || description?.enabled === true;
}

/** The language model among the options, with defaults filled in. */
export function languageModelOptions({ llm }: EngineOptions): LanguageModelOptions {
  return {
    provider: llm?.provider ?? defaultLanguageModel,
    config: llm?.config ?? {},
    concurrency: llm?.concurrency ?? 4,
    timeoutMs: llm?.timeoutMs ?? 60_000,
  };
}

/** The embedder among the options, with defaults filled in. */
export function embedderOptions({ embedding }: EngineOptions): EmbedderOptions {
  return {
    provider: embedding?.provider ?? defaultEmbedder,
    config: embedding?.config ?? {},
    batchSize: embedding?.batchSize ?? 128,
    concurrency: embedding?.concurrency ?? 2,
  };
}
