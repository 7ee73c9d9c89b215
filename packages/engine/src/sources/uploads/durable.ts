import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** From this number on, one call for the whole disk is faster than one per file. */
const minFilesForDiskSync = 256;

/** Flushes about `count` files and folders to the disk of `place`, so they survive a power cut. */
export function syncFiles(place: string, count: number, paths: Iterable<string>): void {
  if (count > minFilesForDiskSync && syncDisk(place)) return;
  for (const path of paths) {
    const file = openSync(path, 'r');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
}

/** Uses `sync` of GNU or BusyBox, because Node has no such call. Returns false where it is not available, as on macOS. */
function syncDisk(path: string): boolean {
  if (process.platform !== 'linux') return false;
  return spawnSync('sync', ['-f', path], { stdio: 'ignore' }).status === 0;
}

/** Creates a folder and its parents for their owner only. Flushes them, because they must survive a power cut. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; ; made = dirname(made)) {
    const around = await open(dirname(made));
    try {
      await around.sync();
    } finally {
      await around.close();
    }
    if (made === first) return;
  }
}
