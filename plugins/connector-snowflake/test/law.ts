import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { startFakeSnowflake } from './fake.js';
import { id, note, settingsFor, target } from './source.js';

const rowCount = 9;
const columns = [id, note];

export const law: SyncLaw = {
  schemes: ['snowflake'],
  async start() {
    const fake = await startFakeSnowflake();
    const { world } = fake;
    world.addTable('PUBLIC', 'PEOPLE', { columns, key: ['ID'], rows: markedRows() });
    world.addTable('PUBLIC', 'LOGS', { columns, rows: markedRows() });
    world.addView('PUBLIC', 'SHOWN', 'PUBLIC.PEOPLE', ['ID', 'NOTE']);
    const names = ['PUBLIC.PEOPLE', 'PUBLIC.LOGS'];
    return {
      target,
      // A change that keeps the numbers of rows and bytes shows only in the time of the table.
      config: { ...settingsFor(fake), last_altered: true },
      content: () =>
        Object.fromEntries(
          [...world.tables.values()].flatMap((table) => [
            [`${table.schema}/${table.name}/rows.jsonl`, marksIn(world.rowsOf(table))],
            [`${table.schema}/${table.name}/schema.json`, []],
          ]),
        ),
      changeAll: () => {
        for (const name of names)
          world.write(name, (rows) => {
            for (const row of rows) row[1] = nextEdition(row[1] ?? '');
          });
      },
      removeThird: () => {
        for (const name of names)
          world.write(name, (rows) => {
            for (const row of everyThird(rows)) rows.splice(rows.indexOf(row), 1);
          });
      },
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

function markedRows(): string[][] {
  return Array.from({ length: rowCount }, (_, at) => [String(at), markedText()]);
}
