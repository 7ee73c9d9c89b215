// npm run documents -- FOLDER… [--report FILE] [--name NAME]: converts every document below the folders like a
// server, one after the other, and compares the results with those of other installed converters.
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import plugins from '@trove/converter-documents';
import { mediaTypeOf } from '@trove/text/media-types';

import { build } from '../lib/build.mjs';
import { textTable } from '../bench/report/table.mjs';
import { ConverterProcess } from './converter-process.mjs';
import { referenceTexts } from './references.mjs';
import { writeReport } from './report.mjs';
import { summaryOf, tableOf } from './summary.mjs';

process.exitCode = await main();

async function main() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { report: { type: 'string' }, name: { type: 'string' } },
  });
  if (positionals.length === 0) {
    process.stderr.write('usage: npm run documents -- FOLDER… [--report FILE] [--name NAME]\n');
    return 2;
  }
  const built = await build({ only: '@trove/converter-documents' });
  if (built !== 0) return built;
  const all = documentsIn(positionals);
  const summaries = [];
  for (const format of new Set(all.map((each) => each.format).toSorted())) {
    const documents = all.filter((each) => each.format === format);
    process.stderr.write(`${format}: ${documents.length} documents\n`);
    const converting = new ConverterProcess();
    const outcomes = [];
    for (const document of documents) outcomes.push(await converting.convert(document));
    const peak = await converting.end();
    const references = await referenceTexts(
      format,
      documents.map(({ file }) => file),
    );
    summaries.push(summaryOf({ format, documents, outcomes, peak, references }));
  }
  process.stdout.write(`${textTable(tableOf(summaries))}\n`);
  if (values.report !== undefined) writeReport(resolve(values.report), summaries, values.name);
  return summaries.some(({ crashed, late }) => crashed + late > 0) ? 1 : 0;
}

/** Returns documents by extension in a stable order. */
function documentsIn(folders) {
  const types = new Set(plugins.flatMap(({ keys }) => keys));
  return folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    )
    .toSorted()
    .map((file) => ({ file, mediaType: mediaTypeOf(file) }))
    .filter(({ mediaType }) => types.has(mediaType))
    .map((document) => ({ ...document, format: extensionOf(document.mediaType) }));
}

function extensionOf(mediaType) {
  const known = { document: 'docx', presentation: 'pptx', sheet: 'xlsx' };
  const word = mediaType.split(/[/.]/).at(-1);
  if (mediaType.includes('openxmlformats')) return known[word];
  if (mediaType.includes('opendocument'))
    return { text: 'odt', presentation: 'odp', spreadsheet: 'ods' }[word];
  return word.replace(/\+zip$/, '');
}
