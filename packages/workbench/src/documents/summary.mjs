import { basename } from 'node:path';

import { median, quantile } from '../bench/statistics.mjs';

/** Words long enough to be significant in any script. */
const wordPattern = /[\p{L}\p{N}]{3,}/gu;
const hasText = /[\p{L}\p{N}]/u;

/** Summarizes the results for documents of one format and compares them with those of other converters. */
export function summaryOf({ format, documents, outcomes, peak, references }) {
  const has = outcomes.map(({ markdown = '' }) => hasText.test(markdown));
  const codes = outcomes.flatMap(({ code }) => code ?? []).toSorted();
  const times = outcomes.flatMap(({ ms }) => ms ?? []);
  return {
    format,
    count: documents.length,
    withText: has.filter(Boolean).length,
    refused: [...new Set(codes)].map((code) => [
      code,
      codes.filter((each) => each === code).length,
    ]),
    crashed: outcomes.filter(({ crashed }) => crashed !== undefined).length,
    late: outcomes.filter(({ late }) => late === true).length,
    times: { median: median(times), p95: quantile(times, 0.95), max: Math.max(...times) },
    peak,
    references: references.map(({ name, texts }) =>
      compared(name, texts, outcomes, has, documents),
    ),
  };
}

function compared(name, texts, outcomes, has, documents) {
  const theirs = texts.map((text) => hasText.test(text));
  const found = texts.flatMap((text, i) =>
    theirs[i] && has[i] ? foundShare(text, outcomes[i].markdown) : [],
  );
  return {
    name,
    withText: theirs.filter(Boolean).length,
    onlyTheirs: documents.flatMap(({ file }, i) =>
      theirs[i] && !has[i] ? `${basename(file)}: ${outcomes[i].code ?? 'no answer'}` : [],
    ),
    onlyOurs: has.filter((ours, i) => ours && !theirs[i]).length,
    words: found.length === 0 ? null : { median: median(found), p5: quantile(found, 0.05) },
  };
}

/**
 * Returns the share of the different words of a text that another one contains, or undefined for a text without words.
 */
function foundShare(text, markdown) {
  const words = wordsOf(text);
  if (words.size === 0) return [];
  const ours = wordsOf(markdown);
  let found = 0;
  for (const word of words) if (ours.has(word)) found++;
  return [found / words.size];
}

function wordsOf(text) {
  return new Set(text.normalize('NFKC').toLowerCase().match(wordPattern) ?? []);
}

/** Returns the rows of the table, the header first. */
export function tableOf(summaries) {
  return [
    [
      'format',
      'documents',
      'with text',
      'with text, others',
      'words of others found',
      'time',
      'memory',
      'refused',
      'crashed',
      'late',
    ],
    ...summaries.map((each) => [
      each.format,
      String(each.count),
      share(each.withText, each.count),
      listed(each.references, (other) => `${other.name} ${share(other.withText, each.count)}`),
      listed(each.references, ({ words }) =>
        words === null ? '–' : `${percent(words.median)} / ${percent(words.p5)}`,
      ),
      [each.times.median, each.times.p95, each.times.max].map((ms) => Math.round(ms)).join(' / '),
      `${Math.round(each.peak / 1e6)} MB`,
      listed(each.refused, ([code, count]) => `${code.replace('document_', '')} ${count}`),
      String(each.crashed),
      String(each.late),
    ]),
  ];
}

function listed(values, show) {
  return values.map(show).join(', ') || '–';
}

function share(part, whole) {
  return `${part} (${percent(part / whole)})`;
}

function percent(value) {
  return `${(value * 100).toFixed(1)} %`;
}
