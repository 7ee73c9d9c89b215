import { setTimeout as delay } from 'node:timers/promises';

import { isHealthy } from '../serve/health.js';
import { clearLine, type Sink } from '../terminal/output.js';

/** Together with the time limit of the health check, at most five seconds. */
const silenceMs = 2000;

/** Returns a `fetch` that prints a notice if the server neither answers a request nor its health check. */
export function withHangNotice(err: Sink, endpoint: string): typeof fetch {
  return async (input, init) => {
    const answered = new AbortController();
    void printIfHanging(err, endpoint, answered.signal);
    try {
      return await fetch(input, init);
    } finally {
      answered.abort();
    }
  };
}

async function printIfHanging(err: Sink, endpoint: string, answered: AbortSignal): Promise<void> {
  try {
    await delay(silenceMs, undefined, { signal: answered, ref: false });
  } catch {
    return;
  }
  if ((await isHealthy(endpoint)) || answered.aborted) return;
  if (err.isTerminal) await err.write(clearLine);
  await err.line(
    `warning: the server at ${err.safe(endpoint)} does not answer, and may hang. Still waiting; Ctrl-C stops.`,
  );
}
