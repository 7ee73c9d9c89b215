import { createHash } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import type { EmbedderOptions } from '@trove/runtime';
import type { EngineOptions } from './options.js';

const MiB = 1024 * 1024;

/** Needs no download and no key. */
export const defaultEmbedder = 'lexical';

/** The plain values among the options, with defaults filled in. */
export interface EngineSettings {
  readonly namespace: string;
  readonly version: string;
  readonly machineId: string;
  readonly allowedRoots: readonly string[];
  readonly withheld: readonly string[];
  readonly retentionMs: number;
  readonly maxFileBytes: number;
  readonly chunkChars: number;
  readonly chunkMax: number;
  readonly threads: number;
  readonly cacheMaxBytes: number;
  readonly artifactsMaxBytes: number;
  /** Null: uploads are not accepted. */
  readonly uploadFolder: string | null;
  readonly uploadMaxBytes: number;
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
    retentionMs: (options.jobs?.retentionDays ?? 30) * 24 * 60 * 60 * 1000,
    maxFileBytes: options.ingest?.maxFileBytes ?? 64 * MiB,
    chunkChars: options.ingest?.chunkChars ?? 2048,
    chunkMax: options.ingest?.chunkMax ?? 100_000,
    threads: threads === 'auto' ? Math.max(1, Math.min(8, availableParallelism() - 1)) : threads,
    uploadFolder: options.uploads ? join(options.uploads.folder, namespace) : null,
    uploadMaxBytes: options.uploads?.maxBytes ?? 2048 * MiB,
    cacheMaxBytes: options.transformationCache?.maxBytes ?? 5 * 1024 * MiB,
    artifactsMaxBytes: options.artifactCache?.maxBytes ?? 10 * 1024 * MiB,
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
