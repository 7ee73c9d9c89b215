import { machineLine } from '../../bench/report/machine.mjs';
import { markdownTable } from '../../bench/report/table.mjs';
import { latencyRows, peaksOf, requestRows, stepsOf } from './summary.mjs';

/** The figures of a run as a page of Markdown. */
export function pageOf(figures) {
  const { findings, ms, seed } = figures;
  return `${[
    '# Fuzzing',
    '`npm run fuzz` asks a real server what nobody should ask it, and checks every answer: its status and its shape ' +
      "against the OpenAPI document, its words for what is none of a caller's business, its content against what other " +
      'routes say. Sources change and plugins misbehave meanwhile. `packages/workbench/src/fuzz` has the laws.',
    `This page is the report of one run of ${Math.round(ms / 60_000)} minutes on ${machineLine()}: ` +
      `${findings.length === 0 ? 'no fault found' : `${findings.length} faults found`}. ` +
      `Seed ${seed}; steps: ${stepsOf(figures)}.`,
    '## Requests',
    markdownTable(requestRows(figures)),
    '## Other requests meanwhile',
    'The same three requests, over and over, beside all that. None may take longer than five seconds.',
    markdownTable(latencyRows(figures)),
    `${peaksOf(figures)} After the run the server stopped on SIGTERM, started again with all it had, and a sync ` +
      'changed no count.',
    ...(findings.length === 0
      ? []
      : ['## Faults', findings.map(({ key, message }) => `- ${key}: ${message}`).join('\n')]),
  ].join('\n\n')}\n`;
}
