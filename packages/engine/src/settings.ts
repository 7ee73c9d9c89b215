import { createHash } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import type { EmbedderOptions, LanguageModelOptions } from '@trove/runtime';
import type { EngineOptions } from './options.js';

const MiB = 1024 * 1024;

/** Needs no download and no key. */
export const defaultEmbedder = 'lexical';
/** Likewise; it serves the tasks of graphs. */
export const defaultLanguageModel = 'rules';

/** The plain values among the options, with defaults filled in. */
export interface EngineSettings {
  readonly namespace: string;
  readonly version: string;
  readonly machineId: string;
  readonly allowedRoots: readonly string[];
  readonly withheld: readonly string[];
  readonly storagePaths: Readonly<Record<string, string>>;
  readonly withheldFiles: readonly string[];
  readonly withheldVariables: readonly string[];
  readonly retentionMs: number;
  readonly maxFileBytes: number;
  readonly chunkChars: number;
  readonly chunkMax: number;
  readonly threads: number;
  /** Null: none are written. */
  readonly summaries: { readonly minChars: number; readonly maxChars: number } | null;
  readonly descriptions: { readonly maxImageBytes: number } | null;
  readonly maxTokensPerJob: number;
  readonly cacheMaxBytes: number;
  readonly artifactsMaxBytes: number;
  /** Null: uploads are not accepted. */
  readonly uploadFolder: string | null;
  readonly uploadMaxBytes: number;
  /** Null: connectors keep nothing. */
  readonly sourceFolder: string | null;
  readonly credentialFolder: string | null;
}

export function settingsOf(options: EngineOptions): EngineSettings {
  const { namespace = 'default' } = options;
  const threads = options.worker?.concurrency ?? 'auto';
  return {
    namespace,
    version: options.version ?? '0.0.0',
    machineId: options.machineId ?? createHash('sha256').update(hostname()).digest('hex'),
    allowedRoots: options.allowedRoots ?? [],
    withheld: options.withheld ?? [],
    storagePaths: options.storagePaths ?? {},
    withheldFiles: options.withheldSecrets?.files ?? [],
    withheldVariables: options.withheldSecrets?.variables ?? [],
    retentionMs: (options.jobs?.retentionDays ?? 30) * 24 * 60 * 60 * 1000,
    maxFileBytes: options.ingest?.maxFileBytes ?? 64 * MiB,
    chunkChars: options.ingest?.chunkChars ?? 2048,
    chunkMax: options.ingest?.chunkMax ?? 100_000,
    threads: threads === 'auto' ? threadsFor(availableParallelism()) : threads,
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
    cacheMaxBytes: options.transformationCache?.maxBytes ?? 5 * 1024 * MiB,
    artifactsMaxBytes: options.artifactCache?.maxBytes ?? 10 * 1024 * MiB,
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

/** Whether a language model is to write about objects. */
export function writesAbout({ summary, description }: EngineOptions): boolean {
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
