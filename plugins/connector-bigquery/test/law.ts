import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { startFakeBigQuery } from './fake.js';
import type { BigQueryWorld, FakeCell } from './fake/world.js';
import { id, note, settingsFor, target } from './source.js';

const rowCount = 6;
const days = ['20261101', '20261102', '20261103'] as const;
const fields = [id, note];

type Place = readonly [name: string, partition?: string];

export const law: SyncLaw = {
  schemes: ['bigquery'],
  async start() {
    const fake = await startFakeBigQuery();
    const { world } = fake;
    world.addTable('sales', 'people', { fields, key: ['id'], rows: markedRows() });
    world.addTable('sales', 'logs', { fields, rows: markedRows() });
    const partitions = Object.fromEntries(days.map((day) => [day, markedRows()]));
    world.addTable('sales', 'days', { fields, key: ['id'], partitions });
    world.addView('sales', 'shown', 'sales.people', ['id', 'note']);
    return {
      target,
      config: settingsFor(fake),
      content: () => contentOf(world),
      changeAll: () => {
        for (const [name, partition] of placesIn(world))
          world.write(
            name,
            (rows) => {
              for (const row of rows) row[1] = nextEdition(String(row[1]));
            },
            partition,
          );
      },
      removeThird: () => {
        for (const [name, partition] of placesIn(world))
          world.write(
            name,
            (rows) => {
              for (const row of everyThird(rows)) rows.splice(rows.indexOf(row), 1);
            },
            partition,
          );
        world.table('sales.days').partitions?.delete(days[0]);
      },
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

function markedRows(): FakeCell[][] {
  return Array.from({ length: rowCount }, (_, at) => [String(at), markedText()]);
}

/** Returns the tables and partitions that have rows of their own. */
function placesIn({ tables }: BigQueryWorld): readonly Place[] {
  return [...tables].flatMap(([name, { view, partitions }]): readonly Place[] => {
    if (view !== null) return [];
    return partitions === null ? [[name]] : [...partitions.keys()].map((day) => [name, day]);
  });
}

function contentOf(world: BigQueryWorld): Record<string, readonly string[]> {
  const entries = [...world.tables.values()].flatMap((table) => {
    const folder = `${table.dataset}/${table.name}`;
    const rows =
      table.partitions === null
        ? [[`${folder}/rows.jsonl`, marksIn(world.rowsOf(table))] as const]
        : [...table.partitions].map(
            ([day, part]) => [`${folder}/${day}/rows.jsonl`, marksIn(part.rows)] as const,
          );
    return [...rows, [`${folder}/schema.json`, []] as const];
  });
  return Object.fromEntries(entries);
}
