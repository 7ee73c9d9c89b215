import { writeFileSync } from 'node:fs';

import { machineLine } from '../bench/report/machine.mjs';
import { markdownTable } from '../bench/report/table.mjs';

/** Writes the figures as a page. */
export function writeGraphReport(file, rows) {
  const page = `<!-- Written by \`npm run eval:graph\`. -->

# Recall of graphs for questions that need several passages

Each question has a known set of passages that answer it together. *Recall* at n is the average share of them among the first n passages that
\`POST /query\` returns. Each graph is built on a separate server with the default embedder.

- *Triplets*: given with the passages, extracted by rules without a language model, or none.
- *Perfect ranking*: a simulated language model that always knows which of the shown passages answer the question. It is the upper bound for real models.
- *p50*, *p95*: milliseconds per query over HTTP, as the client sees them, after a warm-up.
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
