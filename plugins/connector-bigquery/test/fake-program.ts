import { serveFake } from '@trove/test-support/fake-program.js';
import { startFakeBigQuery } from './fake.js';
import { id, name, settingsFor, target } from './source.js';

const rowsPerTable = 1000;

const fake = await startFakeBigQuery();
const { world, service } = fake;

/** Rows with keys from `from`. */
function rows(from: number, count: number): string[][] {
  return Array.from({ length: count }, (_, at) => [
    String(from + at),
    `What row ${from + at} tells.`,
  ]);
}

serveFake(
  service,
  { target, config: settingsFor(fake) },
  {
    /** 10 tables of 1,000 rows, one with 30 partitions of 10 rows, and a view. */
    fill() {
      for (let at = 0; at < 10; at++)
        world.addTable('sales', `t${at}`, {
          fields: [id, name],
          key: ['id'],
          rows: rows(0, rowsPerTable),
        });
      const partitions = Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [String(20261101 + at), rows(at * 10, 10)]),
      );
      world.addTable('sales', 'days', { fields: [id, name], key: ['id'], partitions });
      world.addView('sales', 'names', 'sales.t0', ['name']);
    },

    /** One row of one partition gets another text. */
    change() {
      world.write(
        'sales.days',
        ([row]) => row?.splice(1, 1, 'Now it tells something else.'),
        '20261130',
      );
    },
  },
);
