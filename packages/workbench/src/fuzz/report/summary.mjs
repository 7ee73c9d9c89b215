import { quantile } from '../../bench/statistics.mjs';
import { textTable } from '../../bench/report/table.mjs';

/** Returns the requests of a run by operation and status class as table rows. */
export function requestRows({ rows }) {
  const head = ['operation', 'requests', '2xx', '4xx', '5xx', 'longest'];
  const body = rows.map(([id, row]) => [
    id,
    ...[row.requests, row['2xx'], row['4xx'], row['5xx']].map(String),
    `${Math.round(row.longestMs)} ms`,
  ]);
  return [head, ...body];
}

/** Latencies of the watched requests. */
export function latencyRows({ latencies }) {
  const head = ['request', 'answers', 'p50', 'p99', 'longest'];
  const body = Object.entries(latencies).map(([name, times]) => [
    name,
    String(times.length),
    ...[0.5, 0.99, 1].map((share) =>
      times.length === 0 ? '–' : `${Math.round(quantile(times, share))} ms`,
    ),
  ]);
  return [head, ...body];
}

/** Returns one sentence about the server's process. */
export function peaksOf({ peaks }) {
  const megabytes = Math.round(peaks.rss / 1024 ** 2);
  return `At most ${megabytes} MB, ${peaks.files} open files and ${peaks.threads} threads.`;
}

export function stepsOf({ steps }) {
  return Object.entries(steps)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

/** Returns the summary that is printed at the end of a run. */
export function summaryOf(figures) {
  const { findings, seed, ms } = figures;
  return [
    textTable(requestRows(figures)),
    '',
    textTable(latencyRows(figures)),
    '',
    peaksOf(figures),
    `Steps: ${stepsOf(figures)}. Seed ${seed}, ${Math.round(ms / 1000)} s.`,
    ...findings.map(({ key, times, again }) => `FAULT  ${key}, ${times} times: ${again}`),
    findings.length === 0 ? 'No fault found.' : `${findings.length} faults found.`,
  ].join('\n');
}
