import { readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

// The entry point of a thread that measures a folder, which need not exist.

/** Returns the bytes of each entry of a folder. A file with several hard links counts once. */
function sizesIn(folder: string): Record<string, number> {
  const linked = new Set<number>();
  const sizes: Record<string, number> = {};
  for (const { name } of entriesOf(folder)) sizes[name] = sizeOf(join(folder, name), linked);
  return sizes;
}

/** Returns the bytes of a file, or of all files below a folder, except those in `linked`. */
function sizeOf(place: string, linked: Set<number>): number {
  const folders = [place];
  const own = statOf(place);
  let bytes = own?.isFile() === true ? own.size : 0;
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

parentPort?.postMessage(sizesIn(String(workerData)));
