import { Worker } from 'node:worker_threads';

import { Violation } from '../findings.mjs';

const intervalMs = 250;
const maxStallMs = 30_000;
/** Values above these are faults even on a busy machine. */
const limits = { ms: 5000, rss: 1.5 * 1024 ** 3, files: 1000, threads: 200 };

/**
 * Sends the same few requests to the server continuously and checks the resources of its process. `onViolation` is
 * called for a failed or slow response and for unbounded growth. Returns `{ stop() }`, which resolves with `{
 * latencies, peaks }`.
 */
export function watch({ endpoint, token, pid, probes, onViolation }) {
  const latencies = Object.fromEntries(probes.map(({ name }) => [name, []]));
  const peaks = { rss: 0, files: 0, threads: 0 };
  const worker = new Worker(new URL('watch-worker.mjs', import.meta.url), {
    workerData: { endpoint, token, pid, probes, everyMs: intervalMs, patienceMs: maxStallMs },
  });
  worker.on('message', ({ name, ms, failure, sample }) => {
    if (sample === null) return;
    if (sample !== undefined) {
      for (const fact of Object.keys(peaks)) peaks[fact] = Math.max(peaks[fact], sample[fact]);
      const grown = Object.keys(peaks).find((fact) => sample[fact] > limits[fact]);
      if (grown === undefined) return;
      onViolation(new Violation(`process ${grown}`, `the server's ${grown} is ${sample[grown]}`));
      return;
    }
    latencies[name].push(ms);
    if (failure !== undefined) {
      onViolation(new Violation(`watch ${name}`, `${name}: ${failure} after ${Math.round(ms)} ms`));
    } else if (ms > limits.ms) {
      onViolation(
        new Violation(`slow ${name}`, `${name} took ${Math.round(ms)} ms beside other requests`),
      );
    }
  });
  const ended = new Promise((resolve, reject) => {
    worker.once('exit', resolve);
    worker.once('error', reject);
  });
  return {
    async stop() {
      worker.postMessage('stop');
      await ended;
      return { latencies, peaks };
    },
  };
}
