import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** Mounts a file system of its own, in memory; returns why not when that is not allowed here. */
export function mountMemory(folder: string, options: string): string | null {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'pipe' });
    return null;
  } catch (error) {
    return `no file system can be mounted: ${error instanceof Error ? error.message.split('\n')[1] : String(error)}`;
  }
}

export function unmount(folder: string): void {
  execFileSync('umount', ['--lazy', folder], { stdio: 'pipe' });
}
