// npm run bench:scaling [-- --rows N,N… --results FILE]: measures a shared deployment (PostgreSQL, object store, three
// servers, three workers) on this machine. Needs Ceph. At a million rows it takes about an hour and 16 GB of memory.
// `--results` keeps the figures of each size and continues an earlier run. With several sizes it writes the report.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { noObjectStore } from '@trove/test-support/object-store.js';
import { build } from '../lib/build.mjs';
import { root } from '../lib/workspaces.mjs';
import { stopServers } from './measure/indexing.mjs';
import { textTable } from './report/table.mjs';
import { growthTable } from './scaling/limits.mjs';
import { measureSize } from './scaling/measure-size.mjs';
import { writeScalingReport } from './scaling/report.mjs';
import { stopServices } from './scaling/services.mjs';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000,300000,1000000' },
    results: { type: 'string' },
  },
});
const work = mkdtempSync(join(tmpdir(), 'trove-bench-scaling-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
try {
  process.exitCode = (await build({ quiet: true })) || (await main());
} finally {
  await stopServers();
  await stopServices();
}

async function main() {
  if (noObjectStore !== null) {
    console.error(noObjectStore);
    return 1;
  }
  const measured = earlierResults();
  for (const rows of values.rows.split(',').map(Number)) {
    if (measured.some((result) => result.rows === rows)) continue;
    const folder = join(work, String(rows));
    measured.push(await measureSize(folder, rows, say));
    rmSync(folder, { recursive: true });
    if (values.results !== undefined)
      writeFileSync(values.results, `${JSON.stringify(measured, null, 1)}\n`);
  }
  const results = measured.toSorted((one, other) => one.rows - other.rows);
  if (results.length > 1) {
    console.log(textTable(growthTable(results)));
    writeScalingReport(join(root, 'docs/benchmarks'), results);
  } else console.log(JSON.stringify(results, null, 1));
  return 0;
}

function earlierResults() {
  const { results } = values;
  return results !== undefined && existsSync(results)
    ? JSON.parse(readFileSync(results, 'utf8'))
    : [];
}

function say(what) {
  console.error(`${new Date().toISOString().slice(11, 19)}  ${what}`);
}
