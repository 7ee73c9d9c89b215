import { createRequire } from 'node:module';
import type * as Lance from '@lancedb/lancedb';

export type LanceModule = typeof Lance;

/**
 * What the native library reads from the environment, once, when it is first used. It writes its warnings to stderr
 * itself; errors reach us as exceptions. The batch, buffer and partition sizes bound the memory of compaction and of
 * building indices. Whoever sets one of them decides.
 */
const settings: Readonly<Record<string, string>> = {
  LANCEDB_LOG: 'error',
  LANCE_DEFAULT_BATCH_SIZE: '256',
  LANCE_DEFAULT_IO_BUFFER_SIZE: String(32 * 1024 ** 2),
  LANCE_FTS_PARTITION_SIZE: '64',
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
