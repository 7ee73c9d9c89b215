import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Mounts a file system in memory. Returns the reason if that is not allowed. */
export function mountMemory(folder: string, options: string): string | null {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'pipe' });
    return null;
  } catch (error) {
    return `no file system can be mounted: ${error instanceof Error ? error.message.split('\n')[1] : String(error)}`;
  }
}

/** Returns why no file system can be mounted, or null. */
export function whyNoMounts(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'trove-mount-'));
  try {
    const refusal = mountMemory(folder, 'size=1m');
    if (refusal === null) unmount(folder);
    return refusal;
  } finally {
    rmdirSync(folder);
  }
}

export function unmount(folder: string): void {
  execFileSync('umount', ['--lazy', folder], { stdio: 'pipe' });
}
