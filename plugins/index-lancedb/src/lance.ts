import { createRequire } from 'node:module';
import type * as Lance from '@lancedb/lancedb';
import type * as Arrow from 'apache-arrow';

/** LanceDB with its own copy of Arrow. It would have to convert data of another copy. */
export type LanceModule = typeof Lance & {
  readonly arrow: typeof Arrow;
  /** Runs a query. Resolves to files in Arrow's format, and to null after the last. */
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
