import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import type * as Lance from '@lancedb/lancedb';
import type * as Arrow from 'apache-arrow';

/** LanceDB, and the Arrow that it uses itself: it would have to convert what another copy makes. */
export type LanceModule = typeof Lance & { readonly arrow: typeof Arrow };

/**
 * How many threads compute. By itself the library takes two less than there are processors: on small machines a single one, on
 * which searches wait for whatever is being written.
 */
const leastThreads = 2;
const spareProcessors = 2;

/**
 * Environment settings that the native library reads once, on first use. It writes its warnings to stderr itself;
 * errors reach us as exceptions. The batch, buffer and partition sizes bound the memory of compaction and index
 * building; a partition for each of many processors would also make the index larger and searches slower. Values set
 * by the user take precedence.
 */
const settings: Readonly<Record<string, string>> = {
  LANCEDB_LOG: 'error',
  LANCE_CPU_THREADS: String(Math.max(leastThreads, availableParallelism() - spareProcessors)),
  LANCE_DEFAULT_BATCH_SIZE: '256',
  LANCE_DEFAULT_IO_BUFFER_SIZE: String(32 * 1024 ** 2),
  LANCE_FTS_PARTITION_SIZE: '128',
  LANCE_FTS_NUM_SHARDS: '2',
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
