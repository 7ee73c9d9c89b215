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
};

/** Memory of a text index build in MiB. */
const textMemory = 176;
/** Two concurrent text indices keep two processors busy with one thread each, and have fewer parts. */
const textThreads = { atOnce: 1, inTurn: 2 } as const;

/**
 * Sets the number of threads that build a text index. Each builds parts that fill its share of the memory. More parts
 * make a larger index and slower searches. The native library reads the setting once, at its first build. Only for a
 * separate process.
 */
export function setTextThreads(areMadeAtOnce: boolean): void {
  const count = areMadeAtOnce ? textThreads.atOnce : textThreads.inTurn;
  process.env['LANCE_FTS_NUM_SHARDS'] ??= String(count);
  process.env['LANCE_FTS_PARTITION_SIZE'] ??= String(textMemory / count);
}
