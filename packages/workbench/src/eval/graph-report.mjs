import { writeFileSync } from 'node:fs';

import { machineLine } from '../bench/report/machine.mjs';
import { markdownTable } from '../bench/report/table.mjs';

/** Writes the figures as a page. */
export function writeGraphReport(file, rows) {
  const page = `<!-- Written by \`npm run eval:graph\`. -->

# How well graphs answer questions that need several passages

For each question the passages that answer it together are known. *Recall* at n: how many of them are among the first n that
\`POST /query\` returns, on average. The graph is built on a server of its own, with the default embedder.

- *Triplets*: given with the passages, made by the rules that need no language model, or none at all.
- *Perfect ranking*: a language model that always knows which of the passages shown to it answer the question. It tells what a
  real one could reach at best.
- *p50*, *p95*: milliseconds of a query over HTTP, as the client sees them, on a server that has been asked before.
- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}.

${markdownTable([
  ['collection', 'graph', 'recall @2', '@5', '@10', 'p50', 'p95', 'built in'],
  ...rows.map(cellsOf),
])}
`;
  writeFileSync(file, page);
}

function cellsOf({ collection, name, recalls, p50, p95, buildSeconds, passages, questions }) {
  return [
    `${collection}: ${passages} passages, ${questions} questions`,
    name,
    ...Object.values(recalls).map((recall) => (100 * recall).toFixed(1)),
    `${p50.toFixed(0)} ms`,
    `${p95.toFixed(0)} ms`,
    `${buildSeconds.toFixed(1)} s`,
  ];
}
