import { writeFileSync } from 'node:fs';

import { machineLine } from '../bench/report/machine.mjs';
import { markdownTable } from '../bench/report/table.mjs';
import { limitMs } from './converter-process.mjs';
import { tableOf } from './summary.mjs';

/** Writes the figures as a page. `name` describes the documents. */
export function writeReport(file, summaries, name = 'your own files') {
  const count = summaries.reduce((sum, each) => sum + each.count, 0);
  const missed = summaries.flatMap(missedOf);
  const page = `<!-- Written by \`npm run documents\`. -->

# Conversion of documents

${count} documents: ${name}. For each format, a separate process converts all documents one by one, with the limits of a server and at most
${limitMs / 1000} s of processor time per document. Other installed converters then get the same files.

- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}.
- *With text*: the result has at least one letter or digit. Documents without text and documents with a password are refused with that reason.
- *Words of others found*: the share of another converter's distinct words (three letters or more) that Trove's Markdown contains, too. Median document /
  5th percentile.
- *Time*: processor milliseconds per document, median / 95th percentile / maximum. *Memory*: peak resident memory of the converting process.

${markdownTable(tableOf(summaries))}
${missed.length === 0 ? '' : `\n## Text found only by other converters\n\nEach document is listed with the reason that Trove gave.\n\n${missed.join('\n')}\n`}`;
  writeFileSync(file, page);
}

function missedOf({ format, references }) {
  return references.flatMap(({ name, onlyTheirs, onlyOurs }) =>
    onlyTheirs.length === 0
      ? []
      : [
          `- ${format}, ${name}: ${onlyTheirs.length} (only in Trove: ${onlyOurs}). ${onlyTheirs.join(', ')}.`,
        ],
  );
}
