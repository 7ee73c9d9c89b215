import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Replaces a file atomically, readable only by its owner. Throws the system's error. */
export function replaceFile(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}.part`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(unfinished, text, { mode: 0o600 });
  // The file of an interrupted process keeps its own mode.
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, path);
}
