import type { Table } from '@lancedb/lancedb';
import { makeIndices, type TableSize } from './indices.js';
import type { LanceModule } from './lance.js';

/** Work that takes seconds of every processor and hundreds of megabytes. */
export type BuildTask =
  | {
      readonly kind: 'indices';
      readonly columns: readonly string[];
      readonly size: TableSize;
      readonly atOnce: boolean;
    }
  | { readonly kind: 'compaction'; readonly cleanupOlderThan: Date };

/** Returns the number of merged fragments. */
export async function build(lance: LanceModule, table: Table, task: BuildTask): Promise<number> {
  switch (task.kind) {
    case 'indices':
      await makeIndices(lance, table, task.columns, task);
      return 0;
    case 'compaction': {
      const { cleanupOlderThan } = task;
      return (await table.optimize({ cleanupOlderThan })).compaction.fragmentsRemoved;
    }
  }
}
