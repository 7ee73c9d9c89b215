import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { median } from '../statistics.mjs';
import { machineLine } from './machine.mjs';
import { latencyPlot, memoryPlot, targetPlot } from './plots.mjs';
import { markdownTable, shown, tableRows } from './table.mjs';

/** Writes the report and its plots into a folder. */
export function writeReport(folder, tree, results, figures) {
  mkdirSync(folder, { recursive: true });
  const files = {
    'report.md': reportText(tree, results, figures),
    'targets.svg': targetPlot(figures),
    'latency.svg': latencyPlot(results.idle, results.busy),
    'memory.svg': memoryPlot(
      memoryCurves(results),
      median(results.bare.map(({ maxRssBytes }) => maxRssBytes)),
    ),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}

function spaceText({ rows, text, vectors, other }) {
  return [
    `${shown(rows, 'bytes')} of rows (chunks with their terms and vectors)`,
    `${shown(text, 'bytes')} of text indices, ${shown(vectors, 'bytes')} of vector index`,
    `${shown(other, 'bytes')} of other files`,
  ].join(', ');
}

function memoryCurves({ indexing, large }) {
  const own = { name: 'the tree', samples: indexing.at(-1).memory.samples };
  if (large === undefined) return [own];
  return [own, { name: 'a tree four times as large', samples: large.memory.samples }];
}

function reportText(tree, { indexing, resync, grep, space }, figures) {
  const missed = figures.filter(({ passed }) => !passed).length;
  return `<!-- Written by \`npm run bench\`. -->

# Speed and size

${figures.length - missed} of ${figures.length} targets are met. Each figure is the median of several runs. Its floor is the cost of the same work without Trove, measured in the same
run on the same machine.

- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}.
- The tree: ${tree.files} text files (Markdown, plain text, code), ${Math.round(tree.bytes / 1e6)} MB, ${indexing[0].chunks} chunks.
- The server runs as a separate process with default settings, and every request goes through HTTP. Memory includes the process that builds the index.
- [Speed of graphs](graph-speed.md) is measured separately.

${markdownTable(tableRows(figures))}

The index is ${spaceText(space)}.

![Each figure as a share of its target](targets.svg)

![Search latency](latency.svg)

![Resident memory while indexing](memory.svg)

## The floors

- **The bare store** writes the server's rows with all columns into a LanceDB table, 4,000 at a time. It builds the BM25 indices and the vector index in a
  separate process. Reading the saved rows is not counted.
- **Walking and stating** calls \`readdir\` and \`stat\` in Node one by one (${resync.floorMs.toFixed(0)} ms here). The walk and the sync are measured in fifteen runs after
  five warm-up runs.
- **The bare index query** searches the server's own index with LanceDB alone, in another process. It returns the ten best hits with all columns that an answer
  needs. Terms and vectors are prepared beforehand.
- **The text itself** is the total size of the files. The index is measured a minute after indexing. It is measured again a
  minute after searches, syncs, the loss and return of a third of the files, and the removal of another folder.
- **${grep.ripgrep === undefined ? 'Reading all files' : `ripgrep ${grep.ripgrep}`}** ${grep.ripgrep === undefined ? 'in Node stands in for ripgrep, which this machine lacks' : 'searches the same files for the same literal. Its start is included'}.

To repeat the measurement, run \`npm run bench\`. \`npm run bench -- FOLDER\` uses a copy of your own files.
`;
}
