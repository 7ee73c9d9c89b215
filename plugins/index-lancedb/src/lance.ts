import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import type * as Lance from '@lancedb/lancedb';
import type * as Arrow from 'apache-arrow';

/** LanceDB, and the Arrow that it uses itself: it would have to convert what another copy makes. */
export type LanceModule = typeof Lance & {
  readonly arrow: typeof Arrow;
  /** Runs a query; its answer comes in files of Arrow's format, and null after the last. */
  run(
    query: Lance.Query | Lance.TakeQuery | Lance.VectorQuery,
    execution: { readonly maxBatchLength?: number },
  ): Promise<{ next(): Promise<Uint8Array | null> }>;
};

/**
 * How many threads compute. By itself the library takes two less than there are processors: on small machines a single one, on
 * which searches wait for whatever is being written.
 */
const leastThreads = 2;
const spareProcessors = 2;

/**
 * Environment settings that the native library reads once, on first use. It writes its warnings to stderr itself;
 * errors reach us as exceptions. The batch and buffer sizes bound the memory of compaction and index building. Values set
 * by the user take precedence.
 */
const settings: Readonly<Record<string, string>> = {
  LANCEDB_LOG: 'error',
  LANCE_CPU_THREADS: String(Math.max(leastThreads, availableParallelism() - spareProcessors)),
  LANCE_DEFAULT_BATCH_SIZE: '256',
  LANCE_DEFAULT_IO_BUFFER_SIZE: String(32 * 1024 ** 2),
};

let loaded: LanceModule | undefined;

/** Loads the native library on first use. */
export function loadLance(): LanceModule {
  if (loaded === undefined) {
    for (const [name, value] of Object.entries(settings)) process.env[name] ??= value;
    const lance: LanceModule = createRequire(import.meta.url)('#lancedb');
    loaded = lance;
  }
  return loaded;
}

/** MiB that an index of texts takes while it is being made. */
const TEXT_MEMORY = 176;

/**
 * How many threads make an index of texts, each parts of it that fill its share of the memory: the more parts, the larger the
 * index and the slower searches. The native library asks once, when it first makes one.
 */
export function setTextThreads(count: number): void {
  process.env['LANCE_FTS_NUM_SHARDS'] ??= String(count);
  process.env['LANCE_FTS_PARTITION_SIZE'] ??= String(TEXT_MEMORY / count);
}
