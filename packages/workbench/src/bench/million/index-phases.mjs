import { setTimeout as sleep } from 'node:timers/promises';

import { watchMemory } from '../measure/memory.mjs';
import { add, isOver } from '../measure/indexing.mjs';
import { processorMs } from './processor.mjs';

const pollMs = 100;

/**
 * Indexes a folder. Returns `{ ms, phases, processor, peak, chunks }`: the milliseconds of each phase, the milliseconds
 * of processor time per millisecond, and the peak memory of all processes in bytes.
 */
export async function indexByPhases({ client, pid }, folder) {
  const memory = watchMemory(pid);
  const before = processorMs(pid);
  const started = performance.now();
  const phases = {};
  const id = await add(client, folder);
  for (let at = started; ;) {
    const job = await client.get(`/v1/jobs/${id}`);
    const now = performance.now();
    const phase = job.phase ?? job.status;
    phases[phase] = (phases[phase] ?? 0) + now - at;
    at = now;
    if (isOver(job)) {
      const ms = now - started;
      const used = processorMs(pid);
      const processor = used === null ? null : (used - before) / ms;
      return { ms, phases, processor, peak: memory.stop().peak, chunks: job.chunks };
    }
    await sleep(pollMs);
  }
}
