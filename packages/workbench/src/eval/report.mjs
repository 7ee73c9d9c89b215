import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { machineLine } from '../bench/report/machine.mjs';
import { qualityPlot } from '../bench/report/plots.mjs';
import { markdownTable } from '../bench/report/table.mjs';

export const header = [
  'collection',
  'questions',
  'mode',
  'nDCG@10',
  'recall@10',
  'MRR@10',
  'asked',
];
export const changeHeader = [
  'collection',
  'questions',
  'mode',
  'nDCG@10 before',
  'now',
  'change',
  'p',
];

export function cellsOf({ collection, set, mode, mean, figures }) {
  const shown = [mean.ndcg, mean.recall, mean.mrr].map((value) => value.toFixed(4));
  return [collection, set, mode, ...shown, String(figures.length)];
}

export function changeCells({ collection, set, mode, was, is, chance }) {
  const change = `${is < was ? '−' : '+'}${Math.abs(is - was).toFixed(4)}`;
  return [collection, set, mode, was.toFixed(4), is.toFixed(4), change, chance.toFixed(4)];
}

/** Writes the figures as a page with a plot. */
export function writeReport(file, { rows, twins }, changes) {
  const plot = `${basename(file, '.md')}.svg`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(join(dirname(file), plot), qualityPlot(rows.filter(({ set }) => set === 'judged')));
  writeFileSync(file, page({ rows, twins }, changes, plot));
}

function page({ rows, twins }, changes, plot) {
  const compared = `
## Against an earlier run

*p*: how likely a change of at least this size is by chance (paired randomisation of the questions).

${markdownTable([changeHeader, ...changes.map(changeCells)])}
`;
  return `<!-- Written by \`npm run eval\`. -->

# How well search finds what was judged relevant

- *judged*: the questions as they are. *mistyped*: the same, each with one typing error. *definitions*: names that one document defines and others
  use; its definition is the answer.
- A document counts by its best chunk. Each collection is indexed on a server of its own.
- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}.

![nDCG@10 of each collection by mode](${plot})

${markdownTable([header, ...rows.map(cellsOf)])}

## Twins

Documents with the text of another, and the share of answers (hybrid) that show a text twice among the first ten.

${markdownTable([
  ['collection', 'documents', 'twins', 'answers that repeat one'],
  ...twins.map(({ collection, documents, doubles, repeating }) => [
    collection,
    String(documents),
    String(doubles),
    `${(100 * repeating).toFixed(1)} %`,
  ]),
])}
${changes.length === 0 ? '' : compared}`;
}
