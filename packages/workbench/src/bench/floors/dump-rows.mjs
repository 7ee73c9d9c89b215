// Writes every row of an index, with all its columns, to Arrow files with a fixed number of rows.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { answerWith } from '../child.mjs';
import { arrow, openOnlyTable } from './lance.mjs';

answerWith(async ({ database, folder, rowsPerFile }) => {
  const table = await openOnlyTable(database);
  const hasVectorIndex = (await table.listIndices()).some(({ columns }) => columns[0] === 'vector');
  const rows = table.query().where("`group` <> ''");
  let files = 0;
  let count = 0;
  let batches = [];
  const save = () => {
    const data = arrow.tableToIPC(new arrow.Table(batches), 'file');
    writeFileSync(join(folder, `${String(files++).padStart(5, '0')}.arrow`), data);
    count += rowsIn(batches);
    batches = [];
  };
  for await (const batch of rows.execute({ maxBatchLength: rowsPerFile })) {
    if (batches.length > 0 && rowsIn(batches) + batch.numRows > rowsPerFile) save();
    batches.push(batch);
  }
  if (batches.length > 0) save();
  return { rows: count, hasVectorIndex };
});

function rowsIn(batches) {
  return batches.reduce((sum, { numRows }) => sum + numRows, 0);
}
