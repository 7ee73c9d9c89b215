/* Makes a table in a process of its own, so that what that takes of memory is nobody else's: PATH ROWS. */
import { makeDatabase } from './table.mjs';

const [path, rows] = process.argv.slice(2);
await makeDatabase({ path, rows: Number(rows) });
