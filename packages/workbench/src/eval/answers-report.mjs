import { writeFileSync } from 'node:fs';

import { machineLine } from '../bench/report/machine.mjs';
import { markdownTable } from '../bench/report/table.mjs';

/** Writes the figures as a page. */
export function writeAnswersReport(file, rows) {
  const page = `<!-- Written by \`npm run eval:answers\`. -->

# Answers of graphs of documentation

Graphs of three trees of documentation answer 60 judged questions without a language model: Trove's own pages, and those of two npm packages, pino and undici.
Each question has texts of which the answer must quote one. The rules were tuned on one half of the questions. The other half was held back.

- *Retrieved*: a passage of the answer contains the text.
- *Quoted*: a quotation of the answer contains the text. *First*: the first quotation contains it.
- *Quotes*: mean number of quoted sentences per answer, at most 4.
- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}.

${markdownTable([
  ['questions', 'count', 'retrieved', 'quoted', 'first', 'quotes'],
  ...rows.map(({ name, questions, retrieved, quoted, first, quotes }) => [
    name,
    String(questions),
    ...[retrieved, quoted, first].map((share) => `${share.toFixed(0)} %`),
    quotes.toFixed(1),
  ]),
])}
`;
  writeFileSync(file, page);
}
