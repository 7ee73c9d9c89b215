import { readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

// The entry point of a thread that measures a folder, which need not exist.

/** Returns the bytes of all files below a folder. A file with several hard links counts once. */
function sizeOf(folder: string): number {
  const linked = new Set<number>();
  const folders = [folder];
  let bytes = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of entriesOf(at)) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) folders.push(path);
      if (!entry.isFile()) continue;
      const stats = statOf(path);
      if (stats === undefined || linked.has(stats.ino)) continue;
      if (stats.nlink > 1) linked.add(stats.ino);
      bytes += stats.size;
    }
  }
  return bytes;
}

/** Returns the entries of a folder, or none if the folder was removed in the meantime. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

parentPort?.postMessage(sizeOf(String(workerData)));
