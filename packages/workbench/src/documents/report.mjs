import { writeFileSync } from 'node:fs';

import { machineLine } from '../bench/report/machine.mjs';
import { markdownTable } from '../bench/report/table.mjs';
import { LIMIT_MS } from './converting.mjs';
import { tableOf } from './summary.mjs';

/** Writes the figures as a page. `name` says what the documents are. */
export function writeReport(file, summaries, name = 'documents of somebody’s own') {
  const count = summaries.reduce((sum, each) => sum + each.count, 0);
  const missed = summaries.flatMap(missedOf);
  const page = `<!-- Written by \`npm run documents\`. -->

# How documents are converted

${count} documents: ${name}. All of a format are converted one after the other as a server does it, in a process of its own with the limits of
the server's, each within ${LIMIT_MS / 1000} s of a processor; then other converters that are installed are given the same files.

- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}.
- *With text*: at least one letter or digit. What has none, and what needs a password, is refused with that reason.
- *Words of others found*: the share of the different words, of three letters or more, in what another converter makes of a
  document that are in Trove's Markdown, too: in the median document / in the one at 5 % from below.
- *Time*: milliseconds of a processor per document, median / 95 % / most. *Memory*: the most that was resident in the process that converts.

${markdownTable(tableOf(summaries))}
${missed.length === 0 ? '' : `\n## With text for others only\n\nAll of them are named, in case one is worth a look.\n\n${missed.join('\n')}\n`}`;
  writeFileSync(file, page);
}

function missedOf({ format, references }) {
  return references.flatMap(({ name, onlyTheirs, onlyOurs }) =>
    onlyTheirs.length === 0
      ? []
      : [
          `- ${format}, ${name}: ${onlyTheirs.length} (the other way round: ${onlyOurs}). ${onlyTheirs.join(', ')}.`,
        ],
  );
}
