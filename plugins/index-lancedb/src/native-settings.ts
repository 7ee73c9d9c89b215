import { availableParallelism } from 'node:os';

/**
 * The minimum number of compute threads. By default the library uses two fewer than there are processors. On small
 * machines that is one, and searches wait for every write.
 */
const leastThreads = 2;
const spareProcessors = 2;

/**
 * Environment variables that the native library reads once, on first use. A program sets the missing ones before it
 * opens an index. A library must not change the environment of its host program. The sizes of batches and buffers limit
 * the memory of compaction.
 */
export const nativeSettings: Readonly<Record<string, string>> = {
  // The library writes its warnings to stderr. Errors are thrown.
  LANCEDB_LOG: 'error',
  LANCE_CPU_THREADS: String(Math.max(leastThreads, availableParallelism() - spareProcessors)),
  LANCE_DEFAULT_BATCH_SIZE: '256',
  LANCE_DEFAULT_IO_BUFFER_SIZE: String(32 * 1024 ** 2),
  // A query reads the lists of its own terms alone. By default it reads and caches those of 128 neighbours with each.
  LANCE_FTS_POSTING_GROUP_MAX_TOKENS: '1',
};

/**
 * Memory in MiB for a part of a text index. A query reads every part of an index, at about half a millisecond each, so a
 * very large index is built in larger parts.
 */
const partMemory = { small: 176, large: 256 } as const;
const leastRowsForLargeParts = 400_000;

/**
 * Sets how text indices of a table with this many rows are built: each by one thread, because two are built at once. The
 * native library reads the settings once, at its first build. Only for a separate process.
 */
export function setTextBuild(rows: number): void {
  process.env['LANCE_FTS_NUM_SHARDS'] ??= '1';
  const part = partMemory[rows < leastRowsForLargeParts ? 'small' : 'large'];
  process.env['LANCE_FTS_PARTITION_SIZE'] ??= String(part);
}
