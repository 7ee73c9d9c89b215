import { parentPort, workerData } from 'node:worker_threads';

import { processSample } from './process-sample.mjs';

// Runs in its own thread, so that the generator of requests does not distort the latencies.
const { endpoint, token, pid, probes, everyMs, patienceMs } = workerData;
let over = false;
parentPort.once('message', () => {
  over = true;
});

while (!over) {
  for (const { name, path } of probes) parentPort.postMessage(await probe(name, path));
  parentPort.postMessage({ sample: processSample(pid) });
  await new Promise((resolve) => setTimeout(resolve, everyMs));
}
parentPort.close();

async function probe(name, path) {
  const started = performance.now();
  try {
    const response = await fetch(endpoint + path, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(patienceMs),
    });
    await response.arrayBuffer();
    const ms = performance.now() - started;
    return {
      name,
      ms,
      ...(response.status === 200 ? {} : { failure: `status ${response.status}` }),
    };
  } catch (error) {
    const failure = String(error.cause?.code ?? error.message);
    return { name, ms: performance.now() - started, failure };
  }
}
