import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { toTarget } from '../paths/target.js';

/** What to open: a path or a URI, and where in it. */
export interface Place {
  readonly target: string;
  readonly line: number | null;
  readonly column: number | null;
}

/** Reads `notes.md`, `notes.md:12`, `notes.md:12:5`, `notes.md:12-20`, and a line copied from the output of grep. */
export function placeOf(text: string, cwd: string): Place {
  const whole = { target: toTarget(text, cwd), line: null, column: null };
  // A file may be called like this.
  if (existsSync(resolve(cwd, text))) return whole;
  const [, path, line, column] = /^(.+?):(\d+)(?:-\d+)?(?::(\d+))?(?::.*)?$/s.exec(text) ?? [];
  if (path === undefined) return whole;
  const numbers = { line: Number(line), column: column === undefined ? null : Number(column) };
  return { target: toTarget(path, cwd), ...numbers };
}
