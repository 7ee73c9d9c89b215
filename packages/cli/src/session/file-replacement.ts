import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file for its owner alone; whoever reads it sees the old one or the new one. Throws the system's error. */
export function replaceFile(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}.part`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(unfinished, text, { mode: 0o600 });
  // What an earlier process left half-done keeps its mode.
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, path);
}
