import { Worker } from 'node:worker_threads';

/** To start a worker and to load what it needs takes a fifth of a second of processor time; to wait costs memory. */
const SPARE_MS = 5000;
const SPARES_AT_MOST = 8;
/** What a worker makes is soon sent away: with more room for it an idle one would keep forty megabytes. */
const YOUNG_HEAP_MIB = 6;

/** Workers of sources that were closed. A worker remembers nothing of what it has read. */
const spares = new Map<Worker, NodeJS.Timeout>();

/** A worker that nobody else uses. It keeps no process alive. */
export function takeWorker(): Worker {
  const [spare] = spares.keys();
  if (spare !== undefined) {
    forget(spare);
    return spare;
  }
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_HEAP_MIB },
  });
  worker.unref();
  return worker;
}

/** Keeps a worker that has nothing to do for whoever needs one next. */
export async function leaveWorker(worker: Worker): Promise<void> {
  // Not those of all events: some are Node's own.
  worker.removeAllListeners('error');
  worker.removeAllListeners('message');
  worker.on('error', () => forget(worker));
  if (spares.size >= SPARES_AT_MOST) return void (await worker.terminate());
  worker.once('exit', () => forget(worker));
  const timer = setTimeout(() => {
    forget(worker);
    void worker.terminate();
  }, SPARE_MS);
  spares.set(worker, timer.unref());
}

function forget(worker: Worker): void {
  clearTimeout(spares.get(worker));
  spares.delete(worker);
  worker.removeAllListeners('exit');
}
