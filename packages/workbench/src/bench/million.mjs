// npm run bench:million [-- --sizes N,N… | --folder FOLDER] [--results FILE]: measures Trove from ten thousand to a
// million chunks, beside bare LanceDB, SQLite FTS5 and ripgrep. Takes about an hour and 30 GB of disk. `--results` keeps
// the figures of each size and continues an earlier run.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { build } from '../lib/build.mjs';
import { root } from '../lib/workspaces.mjs';
import { stopServers } from './measure/indexing.mjs';
import { measureSize } from './million/measure-size.mjs';
import { targetTable, writeGrowthReport } from './million/report.mjs';
import { copyOf } from './tree/copy.mjs';
import { textTable } from './report/table.mjs';
import { writeTree } from './tree/tree.mjs';

/** About 10,000, 30,000, 100,000, 300,000 and 920,000 chunks. */
const defaultSizes = '1400,4250,14000,42500,130000';
const randomSeed = 1;

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: defaultSizes },
    folder: { type: 'string' },
    results: { type: 'string' },
  },
});
const work = mkdtempSync(join(tmpdir(), 'trove-bench-million-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
try {
  process.exitCode = (await build({ quiet: true })) || (await main());
} finally {
  await stopServers();
}

async function main() {
  const measured = earlierResults();
  for (const { name, write } of trees()) {
    if (measured.some((result) => result.name === name)) continue;
    const place = join(work, name);
    const tree = join(place, 'tree');
    say(`writing the tree of ${name}`);
    const { files, bytes } = write(tree);
    measured.push({ name, files, bytes, ...(await measureSize(place, tree, say)) });
    rmSync(place, { recursive: true });
    if (values.results !== undefined)
      writeFileSync(values.results, JSON.stringify(measured, null, 1));
  }
  const results = measured.toSorted((one, other) => one.chunks - other.chunks);
  console.log(textTable(targetTable(results.at(-1))));
  const isDefault = values.folder === undefined && values.sizes === defaultSizes;
  if (isDefault) writeGrowthReport(join(root, 'docs/benchmarks'), results);
  return 0;
}

function earlierResults() {
  const { results } = values;
  return results !== undefined && existsSync(results)
    ? JSON.parse(readFileSync(results, 'utf8'))
    : [];
}

/** The trees to measure, by name. `write` creates one and returns `{ files, bytes }`. */
function trees() {
  if (values.folder !== undefined) {
    const folder = resolve(process.env.INIT_CWD ?? process.cwd(), values.folder);
    return [{ name: 'folder', write: (tree) => copyOf(folder, tree) }];
  }
  return values.sizes
    .split(',')
    .map(Number)
    .map((files) => ({
      name: `${files} files`,
      write: (tree) => writeTree(tree, { files, seed: randomSeed }),
    }));
}

function say(what) {
  console.error(`${new Date().toISOString().slice(11, 19)}  ${what}`);
}
