import { createRequire } from 'node:module';
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

let loaded: LanceModule | undefined;

/** Loads the native library on first use. */
export function loadLance(): LanceModule {
  if (loaded === undefined) {
    const lance: LanceModule = createRequire(import.meta.url)('#lancedb');
    loaded = lance;
  }
  return loaded;
}
