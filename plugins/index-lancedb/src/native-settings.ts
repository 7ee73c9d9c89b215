import { availableParallelism } from 'node:os';

/**
 * How many threads compute. By itself the library takes two less than there are processors: on small machines a single one, on
 * which searches wait for whatever is being written.
 */
const leastThreads = 2;
const spareProcessors = 2;

/**
 * Environment variables that the native library reads once, on first use. A program of its own sets them, where they are not
 * set, before it opens an index; a library must not change the environment of the program that it is a part of. The sizes of
 * batches and buffers bound the memory of compaction.
 */
export const nativeSettings: Readonly<Record<string, string>> = {
  // It writes its warnings to stderr itself; errors are thrown.
  LANCEDB_LOG: 'error',
  LANCE_CPU_THREADS: String(Math.max(leastThreads, availableParallelism() - spareProcessors)),
  LANCE_DEFAULT_BATCH_SIZE: '256',
  LANCE_DEFAULT_IO_BUFFER_SIZE: String(32 * 1024 ** 2),
};

/** MiB that an index of texts takes while it is being made. */
const textMemory = 176;
/** Two indices of texts at once keep two processors busy with a thread each, and have fewer parts. */
const textThreads = { atOnce: 1, inTurn: 2 } as const;

/**
 * How many threads make an index of texts. Each makes parts that fill its share of the memory: the more parts, the larger the
 * index and the slower searches. The native library asks once, when it first makes one. Only for a process of one's own.
 */
export function setTextThreads(areMadeAtOnce: boolean): void {
  const count = areMadeAtOnce ? textThreads.atOnce : textThreads.inTurn;
  process.env['LANCE_FTS_NUM_SHARDS'] ??= String(count);
  process.env['LANCE_FTS_PARTITION_SIZE'] ??= String(textMemory / count);
}
