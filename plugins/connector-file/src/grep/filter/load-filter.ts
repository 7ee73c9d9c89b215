import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

import { FilterTable } from './filter-table.js';

/** Reads a filter file into memory that threads share. Null if it is missing or damaged. */
export function loadFilter(file: string): SharedArrayBuffer | null {
  let opened: number;
  try {
    opened = openSync(file, 'r');
  } catch {
    return null;
  }
  try {
    const { size } = fstatSync(opened);
    const bytes = new Uint8Array(new SharedArrayBuffer(size));
    let filled = 0;
    while (filled < size) {
      const count = readSync(opened, bytes, filled, size - filled, filled);
      if (count === 0) return null;
      filled += count;
    }
    return FilterTable.check(bytes.buffer) === null ? null : bytes.buffer;
  } finally {
    closeSync(opened);
  }
}
