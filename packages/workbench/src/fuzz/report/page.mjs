import { machineLine } from '../../bench/report/machine.mjs';
import { markdownTable } from '../../bench/report/table.mjs';
import { latencyRows, peaksOf, requestRows, stepsOf } from './summary.mjs';

/** Returns the figures of a run as a page of Markdown. */
export function pageOf(figures) {
  const { findings, ms, seed } = figures;
  return `${[
    '# Fuzzing',
    '`npm run fuzz` sends malformed and hostile requests to a real server and checks every answer. The status and shape must ' +
      'match the OpenAPI document, the text must not reveal secrets, and the content must agree with other routes. ' +
      'Meanwhile sources change and plugins misbehave. The checks are in `packages/workbench/src/fuzz`.',
    `This page reports one run of ${Math.round(ms / 60_000)} minutes on ${machineLine()}: ` +
      `${findings.length === 0 ? 'no fault found' : `${findings.length} faults found`}. ` +
      `Seed ${seed}; steps: ${stepsOf(figures)}.`,
    '## Requests',
    markdownTable(requestRows(figures)),
    '## Latency of other requests',
    'During the run, three fixed requests are repeated. None may take longer than five seconds.',
    markdownTable(latencyRows(figures)),
    `${peaksOf(figures)} After the run, the server stopped on SIGTERM and restarted with all its data. ` +
      'A sync changed no count.',
    ...(findings.length === 0
      ? []
      : ['## Faults', findings.map(({ key, message }) => `- ${key}: ${message}`).join('\n')]),
  ].join('\n\n')}\n`;
}
