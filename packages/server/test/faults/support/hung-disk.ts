import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk on which every call hangs until it is unplugged, like a network disk without its server. */
export interface HungDisk {
  readonly path: string;
  /** Fails all waiting calls and removes the disk. */
  pull(): void;
}

/** Mounts a hung disk. Returns null if that is not allowed. */
export function hungDisk(path: string): HungDisk | null {
  mkdirSync(path, { recursive: true });
  const device = deviceOf();
  if (device === null) return null;
  // The kernel waits for the first response of the device, which never arrives.
  const options = 'fd=3,rootmode=40000,user_id=0,group_id=0';
  const mounted = spawnSync('mount', ['-i', '-t', 'fuse', 'hung', path, '-o', options], {
    stdio: ['ignore', 'ignore', 'ignore', device],
  });
  if (mounted.status !== 0) {
    closeSync(device);
    return null;
  }
  const pull = (): void => {
    closeSync(device);
    spawnSync('umount', ['-l', path]);
  };
  return { path, pull };
}

/** Whether a hung disk can be mounted. */
export function canHang(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'trove-hung-'));
  try {
    const disk = hungDisk(join(folder, 'disk'));
    disk?.pull();
    return disk !== null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function deviceOf(): number | null {
  try {
    return openSync('/dev/fuse', 'r+');
  } catch {
    return null;
  }
}
