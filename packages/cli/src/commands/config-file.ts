import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { parse } from 'smol-toml';

import { UsageError } from '@trove/commands';

import { errorCode, messageOf } from '../session/system-errors.js';

/** Reads the configuration of a source from a TOML file. Returns null without a file. Throws a UsageError. */
export function readConfig(file: string | undefined, cwd: string): Record<string, unknown> | null {
  if (file === undefined) return null;
  const path = resolve(cwd, file);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`--config: cannot read ${path} (${errorCode(error)})`, [
      'Name a TOML file that you can read.',
    ]);
  }
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError(`--config: ${path}: ${messageOf(error)}`, [
      'Correct the TOML of the file.',
    ]);
  }
}
