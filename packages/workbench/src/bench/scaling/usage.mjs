import { resetPeak, watchMemory } from '../measure/memory.mjs';
import { processorMs } from '../million/processor.mjs';
import { storeTraffic } from './services.mjs';

/**
 * Watches the processes of a deployment and its services during some work. `stop()` returns `{ ms, processor, memory, traffic
 * }`: the milliseconds of processor time and the peak bytes by part, and the requests to the object store.
 */
export function watchUsage(deployment, services) {
  const parts = partsOf(deployment, services);
  for (const pid of Object.values(parts).flat()) resetPeak(pid);
  const memory = mapValues(parts, (pids) => pids.map((pid) => watchMemory(pid)));
  const before = mapValues(parts, processorOf);
  const traffic = storeTraffic(services.store);
  const started = performance.now();
  return {
    stop() {
      const ms = performance.now() - started;
      const after = storeTraffic(services.store);
      return {
        ms,
        processor: mapValues(parts, (pids, name) => processorOf(pids) - before[name]),
        memory: mapValues(memory, (watched) => sum(watched.map((each) => each.stop().peak))),
        traffic: mapValues(after, (count, name) => count - traffic[name]),
      };
    },
  };
}

/** The processes of each part. Peaks of several processes of a part are added. */
function partsOf({ replicas, workers }, { metadata, source, store }) {
  return {
    servers: replicas.map(({ pid }) => pid),
    workers: workers.map(({ pid }) => pid),
    'PostgreSQL, metadata': metadata.pids,
    'PostgreSQL, source': source.pids,
    'object store': store.pids,
  };
}

function processorOf(pids) {
  return sum(pids.map((pid) => processorMs(pid) ?? 0));
}

function mapValues(object, change) {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, change(value, name)]),
  );
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
