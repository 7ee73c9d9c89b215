import { watch } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** What changes together is told together. */
const togetherMs = 50;
const mostPaths = 1000;

let paths = new Set<string>();
let timer: NodeJS.Timeout | undefined;

function tell(path: string): void {
  paths.add(paths.size < mostPaths ? path : '');
  timer ??= setTimeout(() => {
    parentPort?.postMessage({ paths: [...paths] });
    paths = new Set();
    timer = undefined;
  }, togetherMs);
}

function fail(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  parentPort?.postMessage({ code, message: String(error) });
}

try {
  // Looking at every folder below blocks, which is why this is a thread.
  const watcher = watch(String(workerData), { recursive: true });
  watcher.on('change', (_event, name) => tell(String(name)));
  watcher.on('error', fail);
  tell('');
} catch (error) {
  fail(error);
}
