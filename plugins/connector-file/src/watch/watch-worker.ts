import { readFileSync, statSync, watch } from 'node:fs';
import { sep } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

/** What changes together is told together. */
const togetherMs = 50;
const mostPaths = 1000;
/** The system forgets what it cannot tell in time, and says nothing: so much at once may not be all. Not each is told. */
const mostAtOnce = queueLength() / 8;

const root = String(workerData);
let paths = new Set<string>();
let events = 0;
let timer: NodeJS.Timeout | undefined;

/** `path`: '' for anything. */
function tell(path: string): void {
  events++;
  const isMuch = paths.size >= mostPaths || events >= mostAtOnce;
  paths.add(isMuch ? '' : path);
  timer ??= setTimeout(() => {
    parentPort?.postMessage({ paths: [...paths] });
    paths = new Set();
    events = 0;
    timer = undefined;
  }, togetherMs);
}

function fail(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  parentPort?.postMessage({ code, message: String(error) });
}

function queueLength(): number {
  const usual = 16_384;
  if (process.platform !== 'linux') return usual;
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'latin1')) || usual;
  } catch {
    return usual;
  }
}

try {
  // A file is a source of one object.
  const isFile = statSync(root).isFile();
  // Looking at every folder below blocks, which is why this is a thread.
  const watcher = watch(root, { recursive: true });
  watcher.on('change', (_event, name) =>
    tell(isFile || name === null ? '' : String(name).replaceAll(sep, '/')),
  );
  watcher.on('error', fail);
  tell('');
} catch (error) {
  fail(error);
}
