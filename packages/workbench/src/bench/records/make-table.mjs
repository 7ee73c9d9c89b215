/* Creates a table in a separate process, so that its memory does not count: PATH ROWS. */
import { makeDatabase } from './table.mjs';

const [path, rows] = process.argv.slice(2);
await makeDatabase({ path, rows: Number(rows) });
