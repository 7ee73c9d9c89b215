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
    `${shown(rows, 'bytes')} of rows (each chunk, its words and its vector)`,
    `${shown(text, 'bytes')} of text indices, ${shown(vectors, 'bytes')} of vector index`,
    `${shown(other, 'bytes')} of the rest`,
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

# How fast it is

${figures.length - missed} of ${figures.length} targets are met. Each figure is the median of several runs beside a floor that was measured in the
same run on the same machine: what the work takes with nothing of Trove around it.

- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}.
- The tree: ${tree.files} text files (Markdown, plain text, code), ${Math.round(tree.bytes / 1e6)} MB, ${indexing[0].chunks} chunks.
- The server runs as a process of its own with default settings; every figure of it goes through HTTP. Memory is that of the
  server and of the process that builds its index.
- Questions to graphs are measured [on their own](graph-speed.md).

${markdownTable(tableRows(figures))}

The index is ${spaceText(space)}.

![Each figure as a share of its target](targets.svg)

![Search latency](latency.svg)

![Resident memory while indexing](memory.svg)

## The floors

- **The bare store** writes the rows that the server made, with all their columns, 4,000 at a time into a LanceDB table,
  and builds the BM25 indices and the vector index, in a process of its own. Reading the saved rows is not counted.
- **Walking and stating** is \`readdir\` and \`stat\` in Node, one after the other (${resync.floorMs.toFixed(0)} ms here).
  It and the sync are measured warm: after five runs, fifteen.
- **The bare index query** asks the server's own index with LanceDB alone, in another process, for the ten best hits
  with all the columns that an answer needs; the words are analysed and the vectors made beforehand.
- **The text itself** is the bytes of the files of the tree. After the minute in which the index is left alone, all is
  measured that follows: searches, syncs, a third of the files gone and back, another folder added and removed.
- **${grep.ripgrep === undefined ? 'Reading all files' : `ripgrep ${grep.ripgrep}`}** ${grep.ripgrep === undefined ? 'in Node stands in for ripgrep, which this machine lacks' : 'looks for the same literal in the same files, its start included'}.

\`npm run bench\` measures it again, \`npm run bench -- FOLDER\` with files of yours (it works on a copy).
`;
}
