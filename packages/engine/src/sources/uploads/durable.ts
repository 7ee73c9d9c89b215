import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** From here on, one call for the whole disk takes less time than one for each file. */
const minFilesForDiskSync = 256;

/**
 * Has files, and the names in folders, reach the disk, which is that of `place`: a power cut leaves them as they are. There
 * are about `count` of them.
 */
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

/** By `sync` of GNU and BusyBox, as Node has no such call; false where it cannot, as on a Mac. */
function syncDisk(path: string): boolean {
  if (process.platform !== 'linux') return false;
  return spawnSync('sync', ['-f', path], { stdio: 'ignore' }).status === 0;
}

/** Makes a folder, and those around it, only for their owner. A power cut leaves it there. */
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
