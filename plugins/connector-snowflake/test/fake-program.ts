import { serveFake } from '@trove/test-support/fake-program.js';
import { startFakeSnowflake } from './fake.js';
import { id, name, settingsFor, target } from './source.js';

const rowsPerTable = 1000;

const fake = await startFakeSnowflake();
const { world, service } = fake;

/** Rows with keys from 0. */
function rows(): string[][] {
  return Array.from({ length: rowsPerTable }, (_, at) => [String(at), `What row ${at} tells.`]);
}

serveFake(
  service,
  { target, config: settingsFor(fake) },
  {
    /** 10 tables of 1,000 rows and a view. */
    fill() {
      for (let at = 0; at < 10; at++)
        world.addTable('PUBLIC', `T${at}`, { columns: [id, name], key: ['ID'], rows: rows() });
      world.addView('PUBLIC', 'NAMES', 'PUBLIC.T0', ['NAME']);
    },

    /** One row of one table gets another text. */
    change() {
      world.write('PUBLIC.T5', ([row]) => row?.splice(1, 1, 'Now it tells something else.'));
    },
  },
);
