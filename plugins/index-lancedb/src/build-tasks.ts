import type { Table } from '@lancedb/lancedb';
import { makeIndices, type TableSize } from './indices.js';
import { setTextThreads, type LanceModule } from './lance.js';

/** What takes seconds of every processor and hundreds of megabytes. */
export type BuildTask =
  | {
      readonly kind: 'indices';
      readonly columns: readonly string[];
      readonly size: TableSize;
      readonly atOnce: boolean;
    }
  | { readonly kind: 'compaction'; readonly cleanupOlderThan: Date };

/** Two indices of texts at once keep two processors busy with a thread each, and have fewer parts. */
const textThreads = { atOnce: 1, inTurn: 2 } as const;

/** Returns how many fragments were merged. */
export async function build(lance: LanceModule, table: Table, task: BuildTask): Promise<number> {
  const isAtOnce = task.kind === 'indices' && task.atOnce;
  setTextThreads(isAtOnce ? textThreads.atOnce : textThreads.inTurn);
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
