import { accessSync, constants, readdirSync } from 'node:fs';
import { describeError, isTroveError, type Health } from '@trove/core';

import { openRoot, type FileSource } from '../source/root.js';

/** Checks that the source exists and may be read. */
export function check(source: FileSource): Health {
  try {
    const root = openRoot(source);
    if (!root.isFile)
      return { ok: true, detail: `A folder with ${countEntries(readdirSync(root.real))}.` };
    accessSync(root.real, constants.R_OK);
    return { ok: true, detail: 'A single file.' };
  } catch (error) {
    if (!isTroveError(error))
      return { ok: false, detail: `${source.name} may not be read by this user.` };
    return { ok: false, detail: describeError(error) };
  }
}

function countEntries(names: readonly string[]): string {
  return names.length === 1 ? '1 entry' : `${names.length} entries`;
}
