// The floor of indexing: writes the same rows to a LanceDB table with the same columns, then builds its BM25 and
// vector indices.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { answerWith } from '../child.mjs';
import { arrow, lance } from './lance.mjs';

const rowsPerPartition = 800;

answerWith(async ({ folder, database, hasVectorIndex }) => {
  const files = readdirSync(folder).sort();
  const connection = await lance.connect(database);
  let table;
  let ms = 0;
  for (const file of files) {
    // The floor excludes the time for reading the rows.
    const rows = arrow.tableFromIPC(readFileSync(join(folder, file)));
    const started = performance.now();
    if (table === undefined) table = await connection.createTable('rows', rows);
    else await table.add(rows);
    ms += performance.now() - started;
  }
  const started = performance.now();
  await buildIndices(table, hasVectorIndex);
  ms += performance.now() - started;
  return { ms, maxRssBytes: process.resourceUsage().maxRSS * 1024 };
});

async function buildIndices(table, hasVectorIndex) {
  for (const column of ['terms', 'pairs']) {
    await table.createIndex(column, { config: textIndex() });
  }
  if (!hasVectorIndex) return;
  const numPartitions = Math.ceil((await table.countRows()) / rowsPerPartition);
  const config = lance.Index.ivfRq({
    distanceType: 'dot',
    numBits: 4,
    numPartitions,
    maxIterations: 10,
    sampleRate: 64,
  });
  await table.createIndex('vector', { config });
}

function textIndex() {
  return lance.Index.fts({
    baseTokenizer: 'whitespace',
    withPosition: false,
    stem: false,
    removeStopWords: false,
    lowercase: false,
    asciiFolding: false,
  });
}
