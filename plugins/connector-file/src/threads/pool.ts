import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** Each sync holds one while it lists, each search a few. More are started only where these seem to hang. */
const BUSY_WORKERS = Math.max(16, 2 * availableParallelism());
/** A worker in a system call on a dead disk does not end: so many are the most of this process. */
const MAX_WORKERS = 64;
/** When nobody got a worker for this long, one more is started: those at work may wait for a dead disk. */
const STALL_MS = 1000;
/** To start a worker takes a tenth of a second, which whoever lists a folder would wait for. */
const LAST_IDLE_MS = 300_000;
/** Each worker has a heap of its own. */
const IDLE_MS = 5000;
/** What a worker makes is soon sent away: with more room for it an idle one would keep forty megabytes. */
const YOUNG_HEAP_MIB = 6;

interface Waiting {
  readonly give: (worker: Worker) => void;
}

/** Workers with nothing to do, each with what ends it. The one that was used last is taken first. */
const idle = new Map<Worker, NodeJS.Timeout>();
const busy = new Set<Worker>();
const waiting = new Set<Waiting>();
let stalled: NodeJS.Timeout | undefined;

/**
 * A worker that nobody else uses until it is given back. All sources of a process share a few, and whoever comes when all are
 * taken waits for one. A worker remembers nothing of what it has read, and keeps no process alive by itself. Throws the
 * signal's reason.
 */
export async function takeWorker(signal: AbortSignal): Promise<Worker> {
  signal.throwIfAborted();
  if (waiting.size === 0 && (idle.size > 0 || busy.size < BUSY_WORKERS)) return nextWorker();
  return new Promise<Worker>((resolve, reject) => {
    const abort = (): void => {
      waiting.delete(asking);
      reject(signal.reason);
      watchStall();
    };
    const asking = {
      give: (worker: Worker): void => {
        signal.removeEventListener('abort', abort);
        resolve(worker);
      },
    };
    signal.addEventListener('abort', abort, { once: true });
    waiting.add(asking);
    watchStall();
  });
}

/** Gives back a worker that has ended all its calls. */
export function leaveWorker(worker: Worker): void {
  if (!busy.delete(worker)) return;
  worker.unref();
  rest(worker);
  serve();
}

/** Ends a worker that was taken. The promise resolves when it has ended, which one on a dead disk never does. */
export async function endWorker(worker: Worker): Promise<void> {
  forget(worker);
  serve();
  await worker.terminate();
}

function nextWorker(): Worker {
  const worker = [...idle.keys()].at(-1) ?? startWorker();
  clearTimeout(idle.get(worker));
  idle.delete(worker);
  busy.add(worker);
  return worker;
}

function startWorker(): Worker {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_HEAP_MIB },
  });
  worker.unref();
  // Whoever holds it is told by a listener of its own; one that is idle is replaced when it is needed.
  worker.on('error', () => forget(worker));
  worker.on('exit', () => {
    forget(worker);
    serve();
  });
  return worker;
}

function rest(worker: Worker): void {
  const end = (): void => {
    forget(worker);
    void worker.terminate();
  };
  const isLast = idle.size === 0;
  idle.set(worker, setTimeout(end, isLast ? LAST_IDLE_MS : IDLE_MS).unref());
}

function forget(worker: Worker): void {
  clearTimeout(idle.get(worker));
  idle.delete(worker);
  busy.delete(worker);
}

/** Gives workers to those who wait, in the order in which they came. */
function serve(): void {
  for (const asking of waiting) {
    if (idle.size === 0 && busy.size >= BUSY_WORKERS) break;
    give(asking);
  }
  watchStall();
}

function give(asking: Waiting): void {
  waiting.delete(asking);
  asking.give(nextWorker());
}

/** Starts to count anew, as somebody just got a worker or is the first to wait. */
function watchStall(): void {
  clearTimeout(stalled);
  stalled = undefined;
  if (waiting.size === 0) return;
  stalled = setTimeout(() => {
    const [first] = waiting;
    if (first !== undefined && busy.size < MAX_WORKERS) give(first);
    watchStall();
  }, STALL_MS).unref();
}
